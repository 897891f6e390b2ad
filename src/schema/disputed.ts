/** A point on which the published documents contradict the bundle, so that neither reading may be called a violation. */
interface DisputedPoint {
  readonly definition: string;
  /** The member, or `*` for any. */
  readonly member: string;
  /** What the bundle refuses and another document allows. */
  readonly allows: 'null' | 'absent';
  readonly why: string;
}

const NULL_IN_PROSE = 'the protocol text gives this member a null, its type has none';

const DISPUTED_POINTS: readonly DisputedPoint[] = [
  ...nullInProse('Session', 'sideFrom'),
  ...nullInProse('SessionBranchChangedParams', 'branch'),
  ...nullInProse('SessionGoalChangedParams', 'goal'),
  ...nullInProse('SessionModelChangedParams', 'providerId'),
  ...nullInProse('SessionModelRouteUnservedParams', 'providerId'),
  ...nullInProse('SessionTokenUsageParams', 'modelId'),
  ...nullInProse('SnapshotState', 'contextUsage', 'name'),
  {
    definition: 'SnapshotState',
    member: '*',
    allows: 'absent',
    why: 'hosts are known to serve a snapshot of the items alone',
  },
];

/** Why a null (or an absence) that the bundle refuses is accepted all the same; undefined when it is not. */
export function disputedReason(
  definition: string | undefined,
  member: string,
  allows: DisputedPoint['allows'],
): string | undefined {
  const accepts = (point: DisputedPoint) =>
    point.definition === definition &&
    point.allows === allows &&
    (point.member === member || point.member === '*');
  return DISPUTED_POINTS.find(accepts)?.why;
}

function nullInProse(definition: string, ...members: string[]): DisputedPoint[] {
  return members.map((member) => ({ definition, member, allows: 'null', why: NULL_IN_PROSE }));
}
