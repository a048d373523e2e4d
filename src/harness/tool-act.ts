/** What a call of a tool does, as far as Skills are concerned. */
export type ToolAct =
  /** The program's own way to open a Skill, by the name that the model gave. */
  | { readonly kind: 'opens-skill'; readonly skill: string }
  | { readonly kind: 'shell'; readonly command: string; readonly folder: string | undefined }
  | { readonly kind: 'reads'; readonly paths: readonly string[] }
  | { readonly kind: 'other' };

/** How one program names the tool that opens a Skill, and the member that holds the Skill's name. */
export interface SkillTool {
  readonly tool: string;
  readonly member: string;
}

const SHELL_TOOL = /bash|shell|terminal|exec|command|^run$/i;
/** Tools that name files, or change them, and show none of what they hold. */
const BLIND_TOOL = /write|edit|create|insert|replace|delete|list|glob|^ls$|find|patch|move|rename|todo/i;
const PATH_MEMBERS = [
  'file_path',
  'path',
  'paths',
  'absolute_path',
  'file_paths',
  'filename',
  'file',
  'include',
];
const COMMAND_MEMBERS = ['command', 'cmd'];
const FOLDER_MEMBERS = ['workdir', 'cwd', 'dir_path', 'directory', 'working_directory'];

/** Reads a call by its tool's name and the members of its input; any program's tools, known or not. */
export function toolAct(name: string, input: unknown, skillTool?: SkillTool): ToolAct {
  const members = new Map(Object.entries(typeof input === 'object' && input !== null ? input : {}));
  if (skillTool !== undefined && name === skillTool.tool) {
    return { kind: 'opens-skill', skill: texts(members.get(skillTool.member))[0] ?? '' };
  }
  const command = COMMAND_MEMBERS.flatMap((member) => texts(members.get(member)));
  if (SHELL_TOOL.test(name) && command.length > 0) {
    const folder = FOLDER_MEMBERS.flatMap((member) => texts(members.get(member)))[0];
    return { kind: 'shell', command: shellText(command), folder };
  }
  if (BLIND_TOOL.test(name) && members.get('command') !== 'view') return { kind: 'other' };
  const paths = PATH_MEMBERS.flatMap((member) => texts(members.get(member)));
  return paths.length === 0 ? { kind: 'other' } : { kind: 'reads', paths };
}

function texts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** One text is a command line; several are a list of arguments. */
function shellText(words: readonly string[]): string {
  const [first = '', ...rest] = words;
  if (rest.length === 0) return first;
  return words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
}
