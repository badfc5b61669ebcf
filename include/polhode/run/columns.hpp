// The columns a result can have. They come in groups (a quaternion is one group of four columns), and always in the
// order of the list, whatever order they were asked for in; time is always the first column.
#pragma once

#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace polhode {

// A group, by its place in the list.
struct Column {
  std::size_t place;

  friend auto operator<=>(const Column&, const Column&) = default;
};

// A set of groups, in the order of the list.
class Columns {
 public:
  class Iterator {
   public:
    using value_type = Column;
    using difference_type = std::ptrdiff_t;

    Iterator() = default;
    explicit Iterator(std::uint64_t left) : left_(left) {}
    Column operator*() const { return {static_cast<std::size_t>(std::countr_zero(left_))}; }
    Iterator& operator++() {
      left_ &= left_ - 1;
      return *this;
    }
    Iterator operator++(int) {
      const Iterator before = *this;
      ++*this;
      return before;
    }
    friend bool operator==(const Iterator&, const Iterator&) = default;

   private:
    std::uint64_t left_ = 0;
  };

  Columns() = default;
  Columns(std::initializer_list<Column> some) {
    for (const Column one : some) insert(one);
  }
  void insert(Column one) { places_ |= bit(one); }
  void insert(const Columns& others) { places_ |= others.places_; }
  void erase(Column one) { places_ &= ~bit(one); }
  bool contains(Column one) const { return (places_ & bit(one)) != 0; }
  bool empty() const { return places_ == 0; }
  Iterator begin() const { return Iterator(places_); }
  Iterator end() const { return {}; }
  friend bool operator==(const Columns&, const Columns&) = default;

 private:
  static std::uint64_t bit(Column one) { return std::uint64_t{1} << one.place; }

  std::uint64_t places_ = 0;
};

struct ColumnInfo {
  std::string_view name;
  std::vector<std::string_view> headers;  // with units
  std::string_view about;
  bool standard;  // in a result unless asked otherwise
};

// Every group, in their order.
const std::vector<ColumnInfo>& column_groups();

// Throws std::invalid_argument with a sentence that names what would be valid.
Column column(std::string_view name);

// Attitude, velocity, momentum and energy: what a result has unless asked otherwise. On the sphere the direction comes
// with them.
const Columns& standard_columns();

// From the names of groups; "standard" stands for the standard ones. Throws std::invalid_argument with a sentence.
Columns parse_columns(const std::vector<std::string>& names);
std::vector<std::string> column_names(const Columns& columns);

// The same where some quantities have names of their own, which may stand among those of the groups. Of groups there may
// then be none.
struct ChosenColumns {
  Columns groups;
  std::vector<std::string> quantities;  // in their own order, each once
};
ChosenColumns parse_columns(const std::vector<std::string>& names, const std::vector<std::string>& quantities);

// "t[s]" and the headers of the groups, one per column of the file.
std::vector<std::string> column_headers(const Columns& columns);

}  // namespace polhode
