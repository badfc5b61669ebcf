// The standard streams, any of which may be closed, full or without a reader.
#pragma once

#include <string_view>

namespace polhode {

// Comes first. A stream that is closed gets a stand-in, so that no file takes its number and receives what was meant
// for it. A reader that has gone, and a file that may not grow, are errors of a write from then on, and no signals.
void prepare_streams();

// Data. What goes wrong is kept until the end, so that it takes no other error's place.
void to_stdout(std::string_view text);

// Messages. What cannot be written is dropped: there is no one to read it, and the run is worth more.
void to_stderr(std::string_view text);

// That something else failed to write there, with its errno.
void stdout_failed(int error);

// Sends off what is left of stdout: 0, or the errno of whatever went wrong with it first.
int finish_stdout();

}  // namespace polhode
