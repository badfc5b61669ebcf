// The bytes of numbers, stored and loaded by one description: `archive(a, b)` stores a and b, or loads them in turn.
//
// They are as memory has them: for the same build of the library on the same kind of processor.
#pragma once

#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

namespace polhode {

class Archive {
 public:
  Archive() = default;                                                       // that stores
  explicit Archive(std::string_view bytes) : bytes_(bytes), loads_(true) {}  // that loads

  template <class... X>
  void operator()(X&... x) {
    static_assert((std::is_trivially_copyable_v<X> && ...), "an archive keeps plain numbers");
    (transfer(&x, sizeof x), ...);
  }

  bool loads() const { return loads_; }
  // Bytes that are still to be loaded.
  std::size_t left() const { return bytes_.size() - at_; }
  // All was there, and nothing is left over.
  bool exhausted() const { return complete_ && at_ == bytes_.size(); }
  const std::string& bytes() const { return bytes_; }

 private:
  // Not inlined into every stepper, of which it would be an eighth.
  [[gnu::noinline]] void transfer(void* x, std::size_t size) {
    if (!loads_) {
      bytes_.append(static_cast<const char*>(x), size);
    } else if (bytes_.size() - at_ >= size) {
      std::memcpy(x, bytes_.data() + at_, size);
      at_ += size;
    } else {
      complete_ = false;
    }
  }

  std::string bytes_;
  std::size_t at_ = 0;
  bool loads_ = false, complete_ = true;
};

}  // namespace polhode
