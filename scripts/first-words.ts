/** The words that people meet before they read any code: the first table of docs/vocabulary.md. */
export const FIRST_WORDS = `| word | meaning |
|---|---|
| task | A piece of work: an instruction, a container to do it in, and tests of the result. A folder in \`tasks/\`. |
| Skill | Knowledge about a kind of work that agents look up by themselves: a folder with a \`SKILL.md\`. What is on trial. |
| distractor | A Skill that a task brings along and that does not help with it. It is there to see whether an agent picks the right one. |
| agent, harness | The agent is the process at work in one container; the harness is its program in a pinned version, such as Codex CLI, with all that drives it. |
| configuration | A harness, a model and settings: a row of the report. |
| condition | Which Skills the agent finds: \`with-skills\` or \`no-skills\`. What \`--condition\` takes. |
| arm | One of the two conditions within a comparison: "the arm without Skills". All trials of that condition. |
| trial, attempt | A trial is one task done once by one configuration in one condition. An attempt is one go at it; another follows only where there was no verdict. |
| pair | The two trials, one in each arm, that are compared with one another. They run next to each other. |
| verifier | The task's tests, run in another container when the agent has stopped. They decide, and no model does. |
| verdict, unscored | A trial passed or failed, or there is no verdict and it is unscored, with the reason. Unscored is never counted as failed and never left out in silence. |
| oracle, nop, literal | Harnesses without a model. \`oracle\` runs the task's solution and must pass, \`nop\` does nothing and must fail, \`literal\` does what Skills say, to the letter. |
| gain | How much more often tasks pass with Skills than without, in percentage points. Normalized gain is the share of what was left to gain ([statistics](statistics.md)). |
| gate | A condition that must hold, else the exit code is 1: of an experiment's figures, or of a task (\`task check --level gate\`). |
| attested | Read back from the container and found as it should be: no Skill in the one arm, exactly the Skill's bytes in the other ([arms](how-arms-are-kept-honest.md#5-attestation)). |
| bundle | A folder that is put into containers as it is: that of a Skill, or that of an agent's program with all it needs. |
| stand-in | A local image that is used in the place of one that a Dockerfile names and that cannot be pulled ([the machine](machine.md)). |
`;
