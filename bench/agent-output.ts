export async function agentOutput(): Promise<readonly never[]> {
  return [];
}
