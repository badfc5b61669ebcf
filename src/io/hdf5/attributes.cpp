#include "io/hdf5/attributes.hpp"

#include <algorithm>

namespace polhode::hdf5 {
namespace {

bool write_attribute(hid_t object, const char* name, hid_t type, const Space& space, const void* data) {
  const Attribute attribute(H5Acreate2(object, name, type, space.id(), H5P_DEFAULT, H5P_DEFAULT));
  return attribute && H5Awrite(attribute.id(), type, data) >= 0;
}

template <class Number>
std::optional<Number> read_number(hid_t object, const char* name, hid_t as) {
  const Attribute attribute(H5Aopen(object, name, H5P_DEFAULT));
  if (!attribute) return std::nullopt;
  const Type stored(H5Aget_type(attribute.id()));
  const Space space(H5Aget_space(attribute.id()));
  const H5T_class_t kind = H5Tget_class(stored.id());
  Number number{};
  if ((kind != H5T_FLOAT && kind != H5T_INTEGER) || H5Sget_simple_extent_npoints(space.id()) != 1 ||
      H5Aread(attribute.id(), as, &number) < 0)
    return std::nullopt;
  return number;
}

}  // namespace

Type text_type() {
  Type type(H5Tcopy(H5T_C_S1));
  H5Tset_size(type.id(), H5T_VARIABLE);
  H5Tset_cset(type.id(), H5T_CSET_UTF8);
  return type;
}

bool set_attribute(hid_t object, const char* name, std::string_view text) {
  const std::string ended(text);
  const char* pointer = ended.c_str();
  return write_attribute(object, name, text_type().id(), Space(H5Screate(H5S_SCALAR)), &pointer);
}

bool set_attribute(hid_t object, const char* name, const std::vector<std::string>& texts) {
  std::vector<const char*> pointers;
  for (const std::string& text : texts) pointers.push_back(text.c_str());
  const hsize_t count = texts.size();
  return write_attribute(object, name, text_type().id(), Space(H5Screate_simple(1, &count, nullptr)), pointers.data());
}

bool set_attribute(hid_t object, const char* name, double number) {
  return write_attribute(object, name, H5T_NATIVE_DOUBLE, Space(H5Screate(H5S_SCALAR)), &number);
}

bool set_attribute(hid_t object, const char* name, long long number) {
  return write_attribute(object, name, H5T_NATIVE_LLONG, Space(H5Screate(H5S_SCALAR)), &number);
}

bool set_attribute(hid_t object, const char* name, unsigned long long number) {
  return write_attribute(object, name, H5T_NATIVE_ULLONG, Space(H5Screate(H5S_SCALAR)), &number);
}

std::optional<std::string> text_attribute(hid_t object, const char* name) {
  std::vector<std::string> texts = text_list_attribute(object, name);
  if (texts.size() != 1) return std::nullopt;
  return std::move(texts.front());
}

std::optional<double> number_attribute(hid_t object, const char* name) {
  return read_number<double>(object, name, H5T_NATIVE_DOUBLE);
}

std::optional<unsigned long long> count_attribute(hid_t object, const char* name) {
  return read_number<unsigned long long>(object, name, H5T_NATIVE_ULLONG);
}

std::vector<std::string> text_list_attribute(hid_t object, const char* name) {
  const Attribute attribute(H5Aopen(object, name, H5P_DEFAULT));
  if (!attribute) return {};
  const Type stored(H5Aget_type(attribute.id()));
  const Space space(H5Aget_space(attribute.id()));
  if (H5Tis_variable_str(stored.id()) <= 0) return {};
  std::vector<char*> read(static_cast<std::size_t>(std::max<hssize_t>(H5Sget_simple_extent_npoints(space.id()), 0)));
  if (read.empty() || H5Aread(attribute.id(), stored.id(), read.data()) < 0) return {};
  std::vector<std::string> texts;
  for (char* text : read) {
    texts.emplace_back(text != nullptr ? text : "");
    H5free_memory(text);
  }
  return texts;
}

}  // namespace polhode::hdf5
