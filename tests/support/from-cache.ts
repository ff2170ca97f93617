// Loaded into a process before its program, if a test replaces part of it: Node's option for preloading would keep the program
// from its cache of modules, without which a start of `serve` takes 0.12 s more of processor time. The cache finds the
// replacements, since both loaders keep modules in `require.cache`.

const { NODE_OPTIONS } = process.env;
delete process.env.NODE_OPTIONS;

// Processes that this one starts load the same scripts.
process.nextTick(() => {
  process.env.NODE_OPTIONS = NODE_OPTIONS;
});
