import {
  dockerfileCommands,
  pipedInstaller,
  type ShellCommand,
  scriptCommands,
  type Unpinned,
  unpinnedPackages,
} from './install-commands.ts';
import { fewOf, hiddenFiles, type LintedTask, type Remark, type TaskRule } from './task-rule.ts';

/** Packages that come in the version of the day: the task of tomorrow is another one. */
export const unpinnedInstall: TaskRule = {
  name: 'unpinned-install',
  check: (task) =>
    commandsOf(task).flatMap((command): Remark[] => {
      const found = unpinnedPackages(command.text);
      if (found === undefined || found.tool === 'apt') return [];
      return [
        {
          severity: 'warning',
          message: `${found.tool} installs ${fewOf(found.packages)} in the version of the day`,
          where: { file: command.file, line: command.line },
          repair: `name the version, such as ${example(found)}`,
        },
      ];
    }),
};

function example({ tool, packages: [name = ''] }: Unpinned): string {
  const bare = tool === 'pip' ? name.replace(/[<>=!~[;].*$/, '') : name.replace(/(?<=.)@.*$/, '');
  return tool === 'pip' ? `${bare}==1.2.3` : `${bare}@1.2.3`;
}

/** Debian keeps only the newest build of a version: worth knowing, hard to mend. */
export const unpinnedApt: TaskRule = {
  name: 'unpinned-apt',
  check: (task) => {
    const found = commandsOf(task).flatMap((command) => {
      const unpinned = unpinnedPackages(command.text);
      return unpinned?.tool === 'apt' ? [{ command, packages: unpinned.packages }] : [];
    });
    const [first] = found;
    if (first === undefined) return [];
    const packages = [...new Set(found.flatMap((one) => one.packages))];
    return [
      {
        severity: 'note',
        message: `apt installs ${fewOf(packages)} in the version of the day`,
        where: { file: first.command.file, line: first.command.line },
        repair: 'name the base image by its digest; a snapshot archive fixes the packages too',
      },
    ];
  },
};

/** An installer without a version in its address is another program each month. */
export const pipedInstall: TaskRule = {
  name: 'piped-installer',
  check: (task) =>
    commandsOf(task).flatMap((command): Remark[] => {
      const address = pipedInstaller(command.text);
      if (address === undefined) return [];
      return [
        {
          severity: 'warning',
          message: `what ${address} answers today is run as it comes`,
          where: { file: command.file, line: command.line },
          repair: 'name a version in the address, or install a package with a version',
        },
      ];
    }),
};

function commandsOf(task: LintedTask): ShellCommand[] {
  const scripts = hiddenFiles(task).filter(({ path }) => path.endsWith('.sh'));
  return [
    ...(task.dockerfile === undefined ? [] : dockerfileCommands(task.dockerfile)),
    ...scripts.flatMap(scriptCommands),
  ];
}
