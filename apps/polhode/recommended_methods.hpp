// The dozen methods that people choose from, for a first look and for README.md. Their names and what each is for are
// listed once, in recommended_methods.cpp; everything else comes from the catalogue.
#pragma once

#include <string>

namespace polhode {

std::string recommended_methods();              // a table for people
std::string recommended_methods_as_markdown();  // the same, as README.md holds it

}  // namespace polhode
