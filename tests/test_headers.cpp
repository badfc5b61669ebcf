// Carries the precompiled headers that all tests share.
