// Attributes of HDF5 objects: texts in UTF-8 of any length, and numbers.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/hdf5/handle.hpp"

namespace polhode::hdf5 {

Type text_type();

// False where HDF5 refuses.
bool set_attribute(hid_t object, const char* name, std::string_view text);
bool set_attribute(hid_t object, const char* name, const std::vector<std::string>& texts);
bool set_attribute(hid_t object, const char* name, double number);
bool set_attribute(hid_t object, const char* name, long long number);
bool set_attribute(hid_t object, const char* name, unsigned long long number);

// A text; none where there is no such attribute, or it is something else.
std::optional<std::string> text_attribute(hid_t object, const char* name);
// A number; none where there is no such attribute, or no single number in it.
std::optional<double> number_attribute(hid_t object, const char* name);
std::optional<unsigned long long> count_attribute(hid_t object, const char* name);
// Texts; empty where there is no such attribute.
std::vector<std::string> text_list_attribute(hid_t object, const char* name);

}  // namespace polhode::hdf5
