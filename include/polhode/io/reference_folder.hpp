// Computed references as files, beside the scenarios whose motions they are.
#pragma once

#include <string>

#include "polhode/problems/motion_reference.hpp"

namespace polhode {

// reference-NAME.json for each motion, in a folder that is made with the first. Files are whole or not there at all.
class ReferenceFolder final : public ReferenceStore {
 public:
  explicit ReferenceFolder(std::string folder) : folder_(std::move(folder)) {}

  std::string load(const std::string& name) override;
  void save(const std::string& name, const std::string& text) override;
  std::string place(const std::string& name) const override;

 private:
  std::string folder_;  // empty: nowhere
};

// ".polhode" beside the scenario, if that is a file and no pipe. Where a problem was named instead, "polhode" in the user's
// cache ($XDG_CACHE_HOME, or ~/.cache). Empty where there is no such place.
std::string references_folder(const std::string& scenario_file);

}  // namespace polhode
