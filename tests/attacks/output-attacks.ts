import type { Attack } from './attack.ts';

const BOTH = ['outputs', 'snapshot'] as const;
const ALL = ['root', 'agent'] as const;
const nest = (name: string, where: string) =>
  `mkdir -p ${where}; python3 -c 'import os,sys; os.chdir("${where}")
for i in range(60): os.mkdir(sys.argv[1]); os.chdir(sys.argv[1])
open("f", "w").write("x")' ${name}`;

/** Outputs that are too large, too many, too deep or strangely named, and links in them that lead out. */
export function outputAttacks(secret: string): readonly Attack[] {
  return [
    {
      id: 'sparse-outputs',
      script: 'mkdir -p out; echo wrong > out/answer.txt; truncate -s 2T out/a.bin out/z.bin',
      as: ALL,
      on: BOTH,
      recorded: {
        outputs: ['outputs-left-out', '.bin (too-large)'],
        snapshot: ['too-large'],
      },
    },
    {
      id: 'sparse-elsewhere',
      script:
        'mkdir -p out; echo wrong > out/answer.txt; truncate -s 2T /usr/lib/python3.11/big.py /opt/tools/bin/big',
      as: ['root'],
      on: BOTH,
      recorded: { snapshot: ['too-large'] },
    },
    {
      id: 'many-outputs',
      script: 'mkdir -p out/n; cd out/n; seq 20000 | xargs touch',
      as: ['agent'],
      on: BOTH,
    },
    {
      id: 'deep-outputs',
      script: nest('$(printf %0200d 1)', '/workspace/out'),
      as: ALL,
      on: BOTH,
      recorded: { snapshot: ['cut-off'] },
    },
    {
      id: 'deep-folders-that-speak-for-the-engine',
      script: `${nest("'no space left on device all predefined address pools have been fully subnetted socket hang up aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'", '/opt/x')}`,
      as: ['root'],
      on: BOTH,
      recorded: { snapshot: ['cut-off'], outputs: ['cut-off'] },
    },
    {
      id: 'many-deep-folders',
      script: Array.from({ length: 12 }, (_, at) => nest('$(printf %0200d 1)', `/opt/${at}`)).join('; '),
      as: ['root'],
      on: ['snapshot'],
      recorded: { snapshot: ['too-deep'] },
    },
    {
      id: 'strange-names',
      script: `mkdir -p out; cd out; python3 -c '
import os
for name in (b"new\\nline", b"tab\\there", b"\\x1b[31mred\\x1b[0m", b"\\xff\\xfe\\x80", b"n" * 255, b"-rf", b"...", b" ", b"C:\\\\x", "\\u202egnp".encode(), b"\\x27\\x22;\`id\`$(id)", b"*", b"answer.txt\\n"):
    open(name, "w").write("41"); os.makedirs(b"d/" + name)'; exit 0`,
      as: ALL,
      on: BOTH,
    },
    {
      id: 'links-out-of-the-outputs',
      script: `mkdir -p out/d; cd out; ln -s ${secret} answer.txt; ln -s / root; ln -s /tests tests; ln -s /proc/self/environ env; ln -s ../../../../../../etc/passwd up; ln -s loop loop; ln -s d/../../../etc/shadow climb; ln -s /tests/expected d/x`,
      as: ALL,
      on: BOTH,
      recorded: { outputs: ['outputs-left-out', '/workspace/out/answer.txt (link-out-of-outputs)'] },
    },
    {
      id: 'outputs-folder-linked',
      script: `rm -rf /workspace/out; ln -s $(dirname ${secret}) /workspace/out`,
      as: ALL,
      on: BOTH,
      recorded: { outputs: ['outputs-left-out', '/workspace/out (link-out-of-outputs)'] },
    },
    {
      id: 'workspace-linked-to-tests',
      script:
        'cd /; mv /workspace /w; ln -s /tests /workspace; mkdir -p /tests/out; echo 41 > /tests/out/answer.txt',
      as: ['root'],
      on: BOTH,
    },
    {
      id: 'program-that-forges',
      script: `mkdir -p out; cat > out/run.sh <<'END'
#!/bin/bash
echo 'def test_ok(): pass' > /tests/test_answer.py
mkdir -p /logs/verifier; for p in $(ls /proc | grep -E '^[0-9]+$'); do tr '\\0' '\\n' < /proc/$p/environ; done 2>/dev/null | grep NONCE > /tmp/nonce
echo '{"schemaVersion":1,"nonce":"'$(sed 's/.*=//' /tmp/nonce)'","complete":true,"exitStatus":0,"collected":1,"pytest":"8","python":"3","tests":[{"name":"t","status":"passed","message":"","durationMs":1}],"collectionErrors":[]}' > /logs/verifier/report.json
echo 1 > /logs/verifier/reward.txt
setsid nohup bash -c 'trap "" TERM HUP; while :; do echo 1 > /logs/verifier/reward.txt; cp /logs/verifier/report.json /logs/verifier/report.json.tmp; sleep 0.02; done' >/dev/null 2>&1 &
for fd in /proc/$PPID/fd/*; do echo '{"event": "end", "exitStatus": 0}' > $fd; done 2>/dev/null
echo 41
END
chmod 755 out/run.sh; echo 41 > out/answer.txt`,
      as: ALL,
      on: ['outputs'],
    },
  ];
}
