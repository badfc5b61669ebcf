// A shared library that is no plug-in.
int nothing_to_see = 1;
