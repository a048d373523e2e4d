/** Label keys of the images and volumes made here; `managed` is always `1`, as on everything of ours on an engine. */
export const IMAGE_LABEL = {
  managed: 'skillpair.managed',
  /** `task-image`, `harness-image`, `verifier-image`, `base-image`, `certificates-image`, `harness-volume`, … */
  kind: 'skillpair.kind',
  digest: 'skillpair.digest',
  /** Task, harness or base that it was made for. */
  subject: 'skillpair.subject',
} as const;
