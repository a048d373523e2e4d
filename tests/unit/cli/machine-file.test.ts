import { join } from 'node:path';
import { expect, it } from 'vitest';
import { machineSettings } from '../../../src/cli/load-experiment.ts';
import { InputError } from '../../../src/model/problem.ts';
import { scratchFolder } from '../load/support/scratch-project.ts';

const naming = (file: string) => ({ env: { SKILLPAIR_MACHINE_FILE: file } });

it('a machine file that the environment names is read, from the working directory on', async () => {
  await using files = await scratchFolder({ 'other.yaml': 'trustCa: host\n' });
  expect(await machineSettings(naming(join(files.dir, 'other.yaml')))).toMatchObject({ trustCa: 'host' });
  expect(await machineSettings({ ...naming('other.yaml'), cwd: files.dir })).toMatchObject({
    trustCa: 'host',
  });
});

it('one that is not there is wrong input that names the variable, the file and the way out', async () => {
  await using files = await scratchFolder();
  const file = join(files.dir, 'gone.yaml');
  const error: unknown = await machineSettings(naming(file)).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(InputError);
  expect(error).toMatchObject({
    problems: [
      {
        severity: 'error',
        message: expect.stringContaining('SKILLPAIR_MACHINE_FILE') as string,
        where: { file },
        repair: expect.stringContaining('unset') as string,
      },
    ],
  });
});
