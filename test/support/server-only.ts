// Replaces the package of this name, which throws outside of Next's server build.
export {};
