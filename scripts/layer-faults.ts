/** The part of dependency-cruiser's JSON report that counts here. */
export interface CruiseReport {
  readonly summary: {
    readonly totalCruised: number;
    readonly violations: readonly {
      readonly from: string;
      readonly to: string;
      readonly rule: { readonly name: string; readonly severity: string };
    }[];
  };
}

/** One line for each forbidden import, and one where fewer modules were looked at than there must be. */
export function layerFaults(report: CruiseReport, minModules: number): readonly string[] {
  const { totalCruised, violations } = report.summary;
  const few =
    totalCruised < minModules
      ? [`only ${totalCruised} modules were looked at, fewer than ${minModules}`]
      : [];
  return [...violations.map(({ rule, from, to }) => `${rule.name}: ${from} imports ${to}`), ...few];
}
