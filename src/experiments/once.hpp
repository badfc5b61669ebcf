// Values that several threads ask for and one of them makes.
#pragma once

#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace polhode::experiments {

template <class T>
class Once {
 public:
  std::shared_ptr<const T> get(const std::string& key, const std::function<T()>& make) {
    std::promise<std::shared_ptr<const T>> promise;
    std::shared_future<std::shared_ptr<const T>> value;
    bool mine = false;
    {
      const std::lock_guard lock(mutex_);
      auto [place, added] = values_.try_emplace(key);
      if (added) place->second = promise.get_future().share();
      mine = added;
      value = place->second;
    }
    if (mine) {
      try {
        promise.set_value(std::make_shared<const T>(make()));
      } catch (...) {
        promise.set_exception(std::current_exception());
      }
    }
    return value.get();
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::shared_future<std::shared_ptr<const T>>> values_;
};

}  // namespace polhode::experiments
