import picomatch from 'picomatch';

/** What `--only`, `--skip` and the expected-failures file select by: `scenario` or `scenario:check`, globs allowed. */
export interface Pattern {
  readonly text: string;
  /** Whether the pattern names checks, not whole scenarios. */
  readonly namesCheck: boolean;
  /** Whether the scenario part is a glob, so that it may reach scenarios that a shard does not hold. */
  readonly isScenarioGlob: boolean;
  /** Whether the check part is a glob, or left out, so that it may mean several checks. */
  readonly isCheckGlob: boolean;
  /** True when the scenario part matches. */
  matchesScenario(scenarioId: string): boolean;
  /** True when the check part matches; a pattern without one matches every check. */
  matchesCheckId(checkId: string): boolean;
  /** True when both parts match; a pattern without a check part matches every check. */
  matchesCheck(scenarioId: string, checkId: string): boolean;
}

/** `*` crosses the slash of a check id, so that `scenario:*` means all of its checks. Never throws. */
export function compilePattern(text: string): Pattern {
  const colon = text.indexOf(':');
  const scenarioPart = colon < 0 ? text : text.slice(0, colon);
  const checkPart = colon < 0 ? '*' : text.slice(colon + 1);
  const matchesScenario = matcher(scenarioPart);
  const matchesCheckId = matcher(checkPart);
  return {
    text,
    namesCheck: colon >= 0,
    isScenarioGlob: picomatch.scan(scenarioPart).isGlob,
    isCheckGlob: picomatch.scan(checkPart).isGlob,
    matchesScenario,
    matchesCheckId,
    matchesCheck: (scenarioId, checkId) => matchesScenario(scenarioId) && matchesCheckId(checkId),
  };
}

function matcher(glob: string): (id: string) => boolean {
  const matches = picomatch(glob === '' ? '*' : glob, { bash: true, dot: true });
  // It takes a second argument, which an array's methods would fill in.
  return (id) => matches(id);
}
