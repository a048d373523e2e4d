import type { TaskImage } from '../image/image-store.ts';
import { type AgentBindings, harnessPath, INSTRUCTION_PATH } from './container-specs.ts';
import { userOf } from './inject.ts';
import type { ModelAccess } from './model-access.ts';
import type { AttemptInput } from './trial-context.ts';

/** What stands for this attempt in the harness's manifest, and the way out that its programs have. */
export function agentBindings(
  input: AttemptInput,
  image: TaskImage,
  models: ModelAccess | undefined,
): AgentBindings {
  const { home } = userOf(input, image);
  const hasModel = input.harness.manifest.protocol !== undefined;
  return {
    values: {
      instruction: INSTRUCTION_PATH,
      bundle: harnessPath(input.harness.manifest.id),
      home,
      workdir: image.info.workingDir,
      ...(hasModel
        ? { model: input.configuration.model, gateway: models?.gatewayUrl, token: models?.access.token }
        : {}),
    },
    proxyEnv: models?.proxyEnv ?? {},
  };
}
