import type { Attack } from './attack.ts';

const ALL = ['root', 'agent'] as const;
const LOCAL = '/usr/local/lib/python3.11/dist-packages';

/** Agents that do the work, each in a way that hardening could take for an attack. */
export function honestAgents(answer: string): readonly Pick<Attack, 'id' | 'script' | 'as'>[] {
  const work = `mkdir -p /workspace/out; echo ${answer} > /workspace/out/answer.txt`;
  return [
    { id: 'honest', script: work, as: ALL },
    {
      id: 'honest-project',
      script: `${work}; cd /workspace; printf 'import pytest\\n@pytest.fixture\\ndef x(): return 1\\n' | tee conftest.py > out/conftest.py
printf '[project]\\nname = "work"\\nversion = "1"\\n[tool.pytest.ini_options]\\naddopts = "-ra"\\n' | tee pyproject.toml > out/pyproject.toml; mkdir -p tests; echo 'def test_own(): assert True' > tests/test_own.py; printf '[tool:pytest]\\n' > setup.cfg; git init -q . 2>/dev/null; exit 0`,
      as: ALL,
    },
    {
      id: 'honest-package',
      script: `mkdir -p ${LOCAL}/finder ${LOCAL}/finder-2.0.dist-info /opt/project/src/extra /workspace/out; echo 'ANSWER = "${answer}"' > ${LOCAL}/finder/__init__.py
printf 'Metadata-Version: 2.1\\nName: finder\\nVersion: 2.0\\n' > ${LOCAL}/finder-2.0.dist-info/METADATA; printf '[console_scripts]\\nfinder = finder:main\\n' > ${LOCAL}/finder-2.0.dist-info/entry_points.txt
echo /opt/project/src > ${LOCAL}/__editable__.extra-1.pth; echo 'X = 1' > /opt/project/src/extra/__init__.py
printf '#!/bin/sh\\nexec python3 -c "import finder, extra; print(finder.ANSWER)"\\n' > /usr/local/bin/finder; chmod 755 /usr/local/bin/finder; python3 -m compileall -q ${LOCAL}/finder; finder > /workspace/out/answer.txt
printf '#!/bin/sh\\nfinder > /workspace/out/answer.txt\\n' > /workspace/run-after.sh`,
      as: ['root'],
    },
    {
      id: 'honest-library',
      script: `${work}; sed s/libz.so.1/libq.so.1/g $(readlink -f /usr/lib/x86_64-linux-gnu/libz.so.1) > /usr/local/lib/libq.so.1; mkdir /opt/own; sed s/libz.so.1/libr.so.1/g $(readlink -f /usr/lib/x86_64-linux-gnu/libz.so.1) > /opt/own/libr.so.1; echo /opt/own > /etc/ld.so.conf.d/own.conf; ldconfig`,
      as: ['root'],
    },
    {
      id: 'honest-service',
      script: `${work}; setsid nohup python3 -m http.server 8000 >/dev/null 2>&1 & for i in $(seq 50); do (exec 3<>/dev/tcp/127.0.0.1/8000) 2>/dev/null && break; sleep 0.1; done; exit 0`,
      as: ALL,
    },
    {
      id: 'honest-path',
      script: `mkdir -p $HOME/tools/bin; printf '#!/bin/sh\\necho ${answer}\\n' > $HOME/tools/bin/answer; chmod 755 $HOME/tools/bin/answer; echo 'export PATH=$HOME/tools/bin:$PATH' >> $HOME/.bashrc; . $HOME/.bashrc; mkdir -p /workspace/out; PATH=$HOME/tools/bin:$PATH answer > /workspace/out/answer.txt`,
      as: ALL,
    },
    {
      id: 'honest-links',
      script: `${work}; cd /workspace/out; mkdir -p d/e; mv answer.txt d/e/real.txt; ln d/e/real.txt d/second.txt; ln -s d/e/real.txt answer.txt; ln -s .. d/e/up; chmod 700 d; touch '-dash' 'sp ace' 'new
line'`,
      as: ALL,
    },
    {
      id: 'honest-touch',
      script: `${work}; for f in /usr/bin/env /usr/lib/python3.11/argparse.py /etc/profile; do : <> $f; touch -r $f $f; done; chown -R root:root /usr/lib/python3/dist-packages/pytest; cp -p /usr/bin/env /tmp/x; cat /tmp/x > /usr/bin/env; touch -r /tmp/x /usr/bin/env`,
      as: ['root'],
    },
  ];
}
