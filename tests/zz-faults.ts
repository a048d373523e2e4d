import { seededRandom } from '../src/base/random.ts';
import { leftOf, makeDockerRig } from './docker/run/docker-rig.ts';
import { type Fate, makeEngineProxy, type ProxyCall } from './support/engine-proxy.ts';
import { attemptsOf } from './support/rig.ts';

const rig = await makeDockerRig();
await using proxy = await makeEngineProxy();
const check =
  'test "$(cat /workspace/out/answer.txt)" = 42 && echo 1 > /logs/verifier/reward.txt || echo 0 > /logs/verifier/reward.txt\n';
await rig.addTask('rt-answer', { script: check });
const e = await rig.addExperiment(
  'tort',
  'configurations: [{ harness: oracle }, { harness: nop }]\ntrials: 1\nconcurrency: 2\n',
);
const want = process.argv.slice(2);
const scen: Record<string, (random: () => number) => void> = {
  plain: () => proxy.rule({}),
  refuse: (r) =>
    proxy.rule({
      fate: () => (r() < 0.1 ? { status: 500, message: 'server is busy, come back later' } : 'pass'),
    }),
  reset: (r) => proxy.rule({ fate: () => (r() < 0.1 ? 'reset' : 'pass') }),
  lost: (r) => proxy.rule({ fate: () => (r() < 0.1 ? 'lost' : 'pass') }),
  hangwait: () => {
    let n = 0;
    proxy.rule({ fate: (c) => (/wait$/.test(c.path) && n++ < 1 ? 'hang' : 'pass') });
  },
  hangput: () => {
    let n = 0;
    proxy.rule({ fate: (c) => (c.method === 'PUT' && n++ < 1 ? 'hang' : 'pass') });
  },
  hangremove: () => {
    let n = 0;
    proxy.rule({ fate: (c) => (c.method === 'DELETE' && n++ < 1 ? 'hang' : 'pass') });
  },
  gone: () => {
    let n = 0;
    proxy.rule({
      answered: (c) => {
        if (/start$/.test(c.path) && ++n === 2) {
          setImmediate(async () => {
            await proxy.leave();
            setTimeout(() => void proxy.comeBack(), 20_000);
          });
        }
      },
    });
  },
  nospace: () => {
    let n = 0;
    proxy.rule({
      fate: (c) =>
        c.path === '/commit' && n++ < 4
          ? { status: 500, message: 'write /var/lib/docker/tmp/x: no space left on device' }
          : 'pass',
    });
  },
};
for (const name of want) {
  scen[name]!(seededRandom(7));
  const t = performance.now();
  const run = `tt-${name}-${process.pid}`;
  const running = rig.start(['run', e, '--run-id', run], { DOCKER_HOST: proxy.address });
  const timer = setTimeout(() => {
    console.log('TIMEOUT');
    running.kill('SIGINT');
    setTimeout(() => running.kill('SIGINT'), 2000);
    setTimeout(() => running.kill('SIGKILL'), 60000);
  }, 100_000);
  const r = await running.done;
  clearTimeout(timer);
  console.log('=====', name, r.code, r.signal, ((performance.now() - t) / 1000).toFixed(1), 's');
  console.log(r.stderr);
  console.log(
    r.stdout
      .split('\n')
      .filter((l) => /planned/.test(l))
      .join('\n'),
  );
  const rec = await rig.record(run).catch((x) => console.log(String(x)));
  if (rec)
    console.log(
      attemptsOf(rec)
        .map(
          (a) =>
            `${a.trial.id} ${a.attempt} ${a.outcome.kind === 'scored' ? a.outcome.verdict.passed : a.outcome.reason + ' ' + a.outcome.phase + ' ' + a.outcome.detail.slice(0, 150)}`,
        )
        .join('\n'),
    );
  console.log('left', await leftOf(run));
  proxy.rule({});
}
await rig[Symbol.asyncDispose]();
