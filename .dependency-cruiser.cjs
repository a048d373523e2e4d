/** Layers: `cli -> stages -> model -> base`. Stages never import stages; each vendor library has one home. */
const layer = (name, ...may) => ({
  name: `${name}-layer`,
  severity: 'error',
  from: { path: `^src/${name}/` },
  to: { path: '^src/', pathNot: [`^src/${name}/`, ...may.map((m) => `^src/${m}`)] },
});
const home = (vendor, folder) => ({
  name: `${vendor}-home`,
  severity: 'error',
  from: { path: '^src/', pathNot: `^src/${folder}` },
  to: { path: `node_modules/(@types/)?${vendor}/` },
});
module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'pure',
      severity: 'error',
      from: { path: '^src/(plan|measure)/' },
      to: { dependencyTypes: ['core'] },
    },
    layer('base'),
    layer('model', 'base/'),
    layer('load', 'model/', 'base/'),
    layer('plan', 'model/', 'base/'),
    layer('measure', 'model/', 'base/'),
    layer('engine', 'base/'),
    layer('image', 'model/', 'base/', 'engine/(engine|archive)\\.ts'),
    layer('harness', 'model/', 'base/', 'engine/engine\\.ts'),
    layer('verifier', 'model/', 'base/', 'engine/(engine|archive)\\.ts'),
    layer('record', 'model/', 'base/'),
    layer('run', 'model/', 'base/', 'engine/(engine|archive|extract)\\.ts', 'image/', 'harness/', 'verifier/'),
    layer('report', 'model/', 'base/'),
    home('dockerode', 'engine/'),
    home('tar-stream', 'engine/'),
    home('commander', 'cli/'),
    home('yaml', 'load/'),
    home('smol-toml', 'load/'),
    home('dockerfile-ast', 'image/'),
    home('cli-progress', 'report/'),
    home('cli-table3', 'report/'),
    home('junit-report-builder', 'report/'),
    home('simple-statistics', 'measure/'),
    home('p-limit', 'run/'),
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
  },
};
