#include "polhode/ensemble/parts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/number_text.hpp"
#include "ensemble/body_ranges.hpp"
#include "ensemble/file_data.hpp"
#include "ensemble/input_file.hpp"
#include "ensemble/missing_bodies.hpp"
#include "polhode/core/error.hpp"

namespace polhode {
namespace {

// How it was followed, of two parts.
void join(std::string& ours, const std::string& theirs) {
  if (ours != theirs) ours = "several";
}

}  // namespace

std::string why_not_together(const EnsembleAbout& ours, const EnsembleAbout& theirs) {
  const std::vector<FileEntry> our_entries = ensemble_entries(ours), their_entries = ensemble_entries(theirs);
  for (std::size_t i = 0; i < our_entries.size(); ++i) {
    const std::string& key = our_entries[i].key;
    if (key == "title" || key == "first" || key == "last" || key == "data") continue;
    if (our_entries[i].value != their_entries[i].value)
      return fmt::format("its {} is {} and not {}", key == "energy_conserved" ? "energy conserved" : key,
                         entry_text(their_entries[i]), entry_text(our_entries[i]));
  }
  if (ours.snapshots != theirs.snapshots) return "it has snapshots at other times";
  if (ours.passages != theirs.passages) return "it has other events";
  if (ours.quantities != theirs.quantities) return "it has other quantities";
  if (ours.scenario != theirs.scenario) return "its scenario is another one";
  if (ours.data != theirs.data)
    return "its bodies are drawn from other numbers, though the scenario is the same: a table that it names has changed";
  if (ours.fused != theirs.fused)
    return theirs.fused ? "it is from a card that fuses products and sums"
                        : "it is from a processor, or from a card that does not fuse products and sums";
  return "";
}

struct EnsembleParts::Files {
  struct Piece {  // bodies that are taken from one file
    BodyRange bodies;
    std::size_t file;
  };

  std::vector<std::string> names;
  std::vector<EnsembleHead> heads;
  EnsembleAbout about;
  double seconds = 0;
  std::vector<Piece> pieces;  // by body
  std::unique_ptr<EnsembleInput> open;
  std::size_t which_open = 0;

  void add(const std::string& name, const EnsembleHead& head) {
    if (names.empty()) {
      about = head.about;
      about.first = 0;
      about.last = about.bodies;
    } else {
      if (const std::string why = why_not_together(about, head.about); !why.empty())
        throw Error(ErrorKind::bad_file,
                    fmt::format("'{}' is of another ensemble than '{}': {}; give parts of one ensemble", name,
                                names.front(), why));
      if (head.wanted != heads.front().wanted)
        throw Error(ErrorKind::bad_file,
                    fmt::format("'{}' has other histograms or quantiles than '{}'; give parts of one "
                                "ensemble",
                                name, names.front()));
      join(about.instruction_set, head.about.instruction_set);
      join(about.why_no_packs, head.about.why_no_packs);
      join(about.device, head.about.device);
      join(about.card, head.about.card);
      about.threads = std::max(about.threads, head.about.threads);
    }
    seconds += head.seconds;
    names.push_back(name);
    heads.push_back(head);
  }

  void find_pieces() {
    std::vector<BodyRange> taken;
    for (std::size_t file = 0; file < heads.size(); ++file) {
      std::vector<BodyRange> all = taken;
      for (const BodyRange& range : heads[file].done) {
        for (const BodyRange& bodies : without(range, taken)) {
          pieces.push_back({bodies, file});
          all.push_back(bodies);
        }
      }
      std::sort(all.begin(), all.end(), [](const BodyRange& a, const BodyRange& b) { return a.first < b.first; });
      taken = joined(all);
    }
    std::sort(pieces.begin(), pieces.end(),
              [](const Piece& a, const Piece& b) { return a.bodies.first < b.bodies.first; });
  }

  void refuse_twice() const {
    for (auto name = names.begin(); name != names.end(); ++name)
      if (std::find(names.begin(), name, *name) != name)
        throw Error(ErrorKind::bad_file, fmt::format("'{}' is given twice; name it once", *name));
    std::vector<Piece> all;
    for (std::size_t file = 0; file < heads.size(); ++file)
      for (const BodyRange& range : heads[file].done) all.push_back({range, file});
    std::sort(all.begin(), all.end(), [](const Piece& a, const Piece& b) { return a.bodies.first < b.bodies.first; });
    for (std::size_t i = 1; i < all.size(); ++i) {
      const BodyRange twice = common(all[i - 1].bodies, all[i].bodies);
      if (twice == BodyRange{}) continue;
      throw Error(ErrorKind::bad_file, fmt::format("{} {} in '{}' and in '{}'; give one of the two files",
                                                   words_for(twice), twice.last - twice.first == 1 ? "is" : "are",
                                                   names[all[i - 1].file], names[all[i].file]));
    }
  }
};

EnsembleParts::EnsembleParts(std::vector<std::string> files) : files_(std::make_unique<Files>()) {
  if (files.empty()) throw Error(ErrorKind::bad_request, "there are no files to join; name those of the parts");
  // One at a time: there may be more parts than files that a process may have open.
  for (const std::string& file : files) files_->add(file, open_ensemble_input(file)->head());
  files_->find_pieces();
}
EnsembleParts::~EnsembleParts() = default;
EnsembleParts::EnsembleParts(EnsembleParts&&) noexcept = default;
EnsembleParts& EnsembleParts::operator=(EnsembleParts&&) noexcept = default;

const EnsembleAbout& EnsembleParts::about() const { return files_->about; }
const EnsembleSettings& EnsembleParts::wanted() const { return files_->heads.front().wanted; }
double EnsembleParts::seconds() const { return files_->seconds; }

void EnsembleParts::check_whole() const {
  files_->refuse_twice();
  std::vector<PartFile> files;
  for (std::size_t i = 0; i < files_->names.size(); ++i)
    files.push_back(
        {files_->names[i], {files_->heads[i].about.first, files_->heads[i].about.last}, files_->heads[i].incomplete});
  std::vector<BodyRange> there;
  for (const auto& piece : files_->pieces) there.push_back(piece.bodies);
  if (const std::string missing = missing_bodies(files_->about.bodies, files, joined(there)); !missing.empty())
    throw Error(ErrorKind::bad_file, missing);
}

void EnsembleParts::check_together(const EnsembleAbout& ensemble) const {
  if (const std::string why = why_not_together(ensemble, files_->about); !why.empty())
    throw Error(ErrorKind::bad_file, fmt::format("'{}' is of another ensemble than this one: {}; name another file, or "
                                                 "follow all bodies again",
                                                 files_->names.front(), why));
}

std::vector<BodyRange> EnsembleParts::bodies_in(BodyRange wanted) const {
  std::vector<BodyRange> ranges;
  for (const auto& piece : files_->pieces)
    if (const BodyRange both = common(piece.bodies, wanted); both != BodyRange{}) ranges.push_back(both);
  return ranges;
}

EnsembleChunk EnsembleParts::read(BodyRange bodies) const {
  const auto piece = std::find_if(files_->pieces.begin(), files_->pieces.end(), [&](const auto& one) {
    return one.bodies.first <= bodies.first && bodies.last <= one.bodies.last;
  });
  if (piece == files_->pieces.end()) throw std::logic_error("bodies that are in no file were asked for");
  if (!files_->open || files_->which_open != piece->file) {
    files_->open.reset();
    files_->open = open_ensemble_input(files_->names[piece->file]);
    files_->which_open = piece->file;
  }
  return files_->open->read(bodies.first, static_cast<std::size_t>(bodies.last - bodies.first));
}

}  // namespace polhode
