/**
 * Which member of which definition is what. Everything that is not listed here is compared for equality.
 *
 * - `minted`: an id or a cursor of the server's. Pairs one-to-one with the recorded value at first sight.
 * - `position`: a cursor of the server's that says how far something goes (a head, a page's end, a cut). Where that is,
 *   and whether it is anywhere (null), is the server's affair; the client may go on from there.
 * - `offered`: an entry of a menu that the server composes (models, choices, options). The client picks from it, so
 *   the recorded entry stands for the live one from here on; several recorded entries may stand for one.
 * - `echo`: repeats what the client sent, where the client sent it; otherwise the server's own words.
 * - `volatile`: times, durations, counts of tokens, paths, versions: the JSON type must agree.
 * - `own`: the server's choice within the schema: wording, provenance, how much history it serves.
 */
export type MemberRole = 'minted' | 'position' | 'offered' | 'echo' | 'volatile' | 'own' | 'equal';

/** The role of a member: the table's word for `Definition.member`, else for the member's name, else `equal`. */
export function memberRole(definition: string | undefined, member: string): MemberRole {
  return ROLES_BY_DEFINITION.get(`${definition}.${member}`) ?? ROLES_BY_NAME.get(member) ?? 'equal';
}

/** By the member's name, wherever it occurs. */
export const ROLES_BY_NAME: ReadonlyMap<string, MemberRole> = new Map([
  ...roles(
    'minted',
    `
    activeTurnId approvalId attachmentId callId cellItemId childId childRunId
    childSessionId commandId decidedByCommandId expectedTurnId itemId jobId lastCommandId lastTurnId
    parentSessionId reminderAgentId resumeFromRunId sessionId sideSessionId subagentId
    taskId toolCallId turnId uploadId userInputId viewCursor workflowRunId
  `,
  ),
  ...roles(
    'position',
    'boundaryCursor cutCursor earliestCursor latestBoundaryCursor nextCursor summarizedThrough',
  ),
  ...roles('echo', 'displayText modelId name profileId providerId selector'),
  ...roles(
    'volatile',
    `
    autoResolutionMs bundlePath childSessionLogPath createdAt decidedAt durationMs fingerprint
    lastActivityAt museHome nextFireAtMs observedAtMs path promptTokens recordedAt retryAfterMs
    retryDelayMs timeToFirstTokenMs tokensAfter tokensBefore totalTokens updatedAt usedTokens
    userAgent version workspaceRoot
  `,
  ),
  ...roles(
    'own',
    `
    attention branch clientName contextUsage cumulative description details displayLabel
    fallbackText firstUserPrompt grantedCapabilities message modelVisibleContent outputRef patchRef
    patchSummary platformFamily platformOs pressure retryable serverInfo snapshot sourceRange
    stopAvailable title toolReceipt usage vcs windowTokens
  `,
  ),
]);

/** By `Definition.member`: where a name means something else than elsewhere, or is no name for all. */
export const ROLES_BY_DEFINITION: ReadonlyMap<string, MemberRole> = new Map([
  ...roles('offered', 'choiceId', 'ApprovalChoice'),
  ...roles('own', 'acceptsFeedback label rulePreview', 'ApprovalChoice'),
  ...roles('own', 'judgeEscalated protectedWrite rawArgs subject toolName', 'ApprovalRequestParams'),
  ...roles('own', 'sourceIndex', 'ApprovalRequirementRef'),
  ...roles('own', 'resolvedBy', 'ApprovalResolutionSummary'),
  ...roles('own', 'amendment policyResult resolvedBy stageEvidence', 'ApprovalResolvedParams'),
  ...roles('own', 'change subject', 'ApprovalUpdatedParams'),
  ...roles('own', 'blockedApps computerControl screenshots', 'ComputerUseSettings'),
  ...roles('own', 'source', 'EffectiveApprovalModeState'),
  ...roles('position', 'anchor', 'ErrorData'),
  ...roles('own', 'alignedNextOffset availability capacity paths', 'ErrorData'),
  ...roles(
    'own',
    'cause localTracingNote outcome sessionNote sessionRecordAttached sessionRecordTruncated',
    'FeedbackSubmitResult',
  ),
  ...roles('own', 'currentWork nextWork percentComplete status', 'Goal'),
  ...roles('own', 'turnId', 'GoalCommandResult'),
  ...roles('own', 'hooks', 'HookListResult'),
  ...roles('own', 'sessionDurability', 'InitializeResult'),
  ...roles('echo', 'commandText objective text', 'Item'),
  ...roles(
    'own',
    `
    agentPath args attachments background blocking children depth entryId exitCode failureKind
    failureReason finalSummary label outcome providerItemId reason result revision role scriptId
    statusLine statusPhase strategyId summary tool trigger triggerSource truncated visibleOutput
  `,
    'Item',
  ),
  ...roles('own', 'byteLen content encoding eof mediaType', 'ItemReadOutputResult'),
  ...roles('own', 'error reason', 'LastTurn'),
  ...roles('offered', 'modelId providerId', 'ModelCatalogEntry'),
  ...roles(
    'own',
    `
    contextLimit cost defaultReasoningEffort isActive isDefault outputLimit profileId
    reasoningEffortVariants releaseDate variants
  `,
    'ModelCatalogEntry',
  ),
  ...roles('own', 'profileId providerId source', 'ModelListResult'),
  ...roles('own', 'plugins', 'PluginListResult'),
  ...roles('own', 'version', 'SchemaInfo'),
  ...roles('own', 'kind modelId providerId turnCount', 'Session'),
  ...roles('own', 'source', 'SessionApprovalModeChangedParams'),
  ...roles('own', 'reason status', 'SessionCompactResult'),
  ...roles('own', 'items mode noneReason', 'SessionHistory'),
  ...roles('own', 'source', 'SessionModelChangedParams'),
  ...roles('own', 'source', 'SessionReasoningEffortChangedParams'),
  // A server whose mode is the wanted one already has nothing to do.
  ...roles('own', 'applyOutcome', 'SessionSetApprovalModeResult'),
  ...roles('own', 'sourceTool', 'SessionTodoListChangedParams'),
  ...roles('offered', 'selector', 'SkillCatalogEntry'),
  ...roles('own', 'argumentHint displayName pluginId source', 'SkillCatalogEntry'),
  ...roles('own', 'previous', 'SkillSetActivationResult'),
  ...roles('own', 'turnCount', 'SnapshotState'),
  ...roles('echo', 'text', 'TodoItem'),
  ...roles('own', 'reason', 'TurnCompletedParams'),
  ...roles('own', 'kind', 'TurnError'),
  ...roles('own', 'blockingAgents', 'TurnForegroundCompletedParams'),
  ...roles('offered', 'label', 'UserInputOption'),
  ...roles('own', 'preview', 'UserInputOption'),
  ...roles('offered', 'id', 'UserInputQuestion'),
  ...roles('own', 'header question selection', 'UserInputQuestion'),
  ...roles('own', 'toolName', 'UserInputRequestParams'),
  ...roles('echo', 'reason', 'UserInputSettledParams'),
  ...roles('position', 'viewCursor', 'SessionForkResult'),
  ...roles('position', 'viewCursor', 'SessionReadResult'),
  ...roles('position', 'viewCursor', 'SessionResumeResult'),
  ...roles('position', 'viewCursor', 'SessionSideChatResult'),
  ...roles('position', 'viewCursor', 'SessionStartResult'),
  ...roles('position', 'viewCursor', 'ViewSubscribeResult'),
  ...roles('position', 'after next', 'ViewGapParams'),
]);

/**
 * Optional members that the documents do promise once the thing they speak of is there. Any other optional member
 * may be sent or left out as the server likes.
 */
export const PROMISED_OPTIONAL_MEMBERS: ReadonlySet<string> = new Set([
  'SessionGoalChangedParams.goal',
  'ErrorObject.data',
  'ErrorData.reason',
  'ErrorData.capability',
  'TurnCompletedParams.error',
]);

/** Optional members whose absence says the same as null, so that either side may choose. */
export const ABSENT_MEANS_NULL: ReadonlySet<string> = new Set(['SessionGoalChangedParams.goal']);

/** Where an entry of which menu is shown or picked, by the member's name. */
const MENUS: ReadonlyMap<string, string> = new Map([
  ['choiceId', 'choice'],
  ['id', 'question'],
  ['questionId', 'question'],
  ['label', 'option'],
  ['selectedLabel', 'option'],
  ['selectedLabels', 'option'],
  ['modelId', 'model'],
  ['providerId', 'provider'],
  ['selector', 'skill'],
]);

/** The menu that a member's value is an entry of; undefined when it is none. Paths end in the member, or in an index below it. */
export function menuAt(path: readonly (string | number)[]): string | undefined {
  return MENUS.get(path.findLast((step) => typeof step === 'string') ?? '');
}

/** `data.reason` values that the documents spell out; any other reason is the server's own word. */
export const DOCUMENTED_REASONS: ReadonlySet<string> = new Set([
  'command_id_conflict',
  'session_id_conflict',
  'missingAnchor',
]);

/** Members of requests whose strings are a person's words or plain options: never replaced by a bound value. */
export const FREE_TEXT_MEMBERS: ReadonlySet<string> = new Set(
  words(`
    text displayText objective name body reason feedback freeText note content commandText title version arguments
  `),
);

/** Rows for members that are written as words. */
function roles(role: MemberRole, members: string, definition?: string): [string, MemberRole][] {
  const prefix = definition === undefined ? '' : `${definition}.`;
  return words(members).map((member) => [prefix + member, role]);
}

function words(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

/** The kind of thing that an id member names: members of one kind share their ids. */
export function idKind(member: string): string {
  return ID_KINDS.get(member) ?? member;
}

const ID_KINDS: ReadonlyMap<string, string> = new Map([
  ['activeTurnId', 'turnId'],
  ['lastTurnId', 'turnId'],
  ['expectedTurnId', 'turnId'],
  ['lastCommandId', 'commandId'],
  ['decidedByCommandId', 'commandId'],
  ['parentSessionId', 'sessionId'],
  ['childSessionId', 'sessionId'],
  ['sideSessionId', 'sessionId'],
  ['cellItemId', 'itemId'],
]);
