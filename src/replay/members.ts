/**
 * Which member of which definition is what. Everything that is not listed here is compared for equality.
 *
 * - `minted`: an id or a cursor of the server's. Pairs one-to-one with the recorded value at first sight.
 * - `nullable`: minted where there is something to name; whether there is, is the server's affair (a page's end).
 * - `offered`: an entry of a menu that the server composes (models, choices, options). The client picks from it, so
 *   the recorded entry stands for the live one from here on; several recorded entries may stand for one.
 * - `echo`: repeats what the client sent, where the client sent it; otherwise the server's own words.
 * - `volatile`: times, durations, counts of tokens, paths, versions: the JSON type must agree.
 * - `own`: the server's choice within the schema: wording, provenance, how much history it serves.
 */
export type MemberRole = 'minted' | 'nullable' | 'offered' | 'echo' | 'volatile' | 'own' | 'equal';

/** The role of a member: the table's word for `Definition.member`, else for the member's name, else `equal`. */
export function memberRole(definition: string | undefined, member: string): MemberRole {
  return BY_DEFINITION.get(`${definition}.${member}`) ?? BY_NAME.get(member) ?? 'equal';
}

const BY_NAME = new Map<string, MemberRole>([
  ...roles('minted', [
    'sessionId',
    'turnId',
    'itemId',
    'approvalId',
    'userInputId',
    'viewCursor',
    'taskId',
    'toolCallId',
    'subagentId',
    'childSessionId',
    'childRunId',
    'parentSessionId',
    'sideSessionId',
    'workflowRunId',
    'childId',
    'uploadId',
    'commandId',
    'decidedByCommandId',
    'activeTurnId',
    'lastTurnId',
    'expectedTurnId',
    'boundaryCursor',
    'cutCursor',
    'summarizedThrough',
    'callId',
    'attachmentId',
    'cellItemId',
    'jobId',
    'resumeFromRunId',
    'reminderAgentId',
  ]),
  ...roles('nullable', ['nextCursor', 'lastCommandId', 'earliestCursor', 'latestBoundaryCursor']),
  ...roles('echo', ['name', 'modelId', 'providerId', 'profileId', 'displayText', 'selector']),
  ...roles('volatile', [
    'createdAt',
    'updatedAt',
    'recordedAt',
    'decidedAt',
    'lastActivityAt',
    'observedAtMs',
    'durationMs',
    'timeToFirstTokenMs',
    'path',
    'bundlePath',
    'childSessionLogPath',
    'version',
    'fingerprint',
    'userAgent',
    'museHome',
    'totalTokens',
    'promptTokens',
    'usedTokens',
    'tokensBefore',
    'tokensAfter',
    'retryDelayMs',
    'nextFireAtMs',
    'autoResolutionMs',
    'retryAfterMs',
    // Whether a root comes back as given or canonicalised is not said.
    'workspaceRoot',
  ]),
  ...roles('own', [
    'sourceRange',
    'usage',
    'cumulative',
    'contextUsage',
    'windowTokens',
    'pressure',
    'title',
    'branch',
    'vcs',
    'firstUserPrompt',
    'attention',
    'message',
    'fallbackText',
    'stopAvailable',
    'description',
    'displayLabel',
    'toolReceipt',
    'outputRef',
    'patchRef',
    'patchSummary',
    'modelVisibleContent',
    'snapshot',
    'serverInfo',
    'platformFamily',
    'platformOs',
    'grantedCapabilities',
    'retryable',
    'details',
    'clientName',
  ]),
]);

const BY_DEFINITION = new Map<string, MemberRole>([
  // Where a minted value has a name of its own, or a name means something else elsewhere.
  ...roles('minted', ['ViewGapParams.after', 'ViewGapParams.next']),
  ...roles('nullable', ['ErrorData.anchor']),
  ...roles('offered', [
    'ApprovalChoice.choiceId',
    'UserInputQuestion.id',
    'UserInputOption.label',
    'ModelCatalogEntry.modelId',
    'ModelCatalogEntry.providerId',
    'SkillCatalogEntry.selector',
  ]),
  ...roles('echo', [
    'Item.text',
    'Item.objective',
    'Item.commandText',
    'TodoItem.text',
    'UserInputSettledParams.reason',
  ]),
  // What the server's model, tools and policies say and do.
  ...roles('own', [
    'ApprovalRequestParams.subject',
    'ApprovalRequestParams.rawArgs',
    'ApprovalRequestParams.toolName',
    'ApprovalRequestParams.judgeEscalated',
    'ApprovalRequestParams.protectedWrite',
    'ApprovalChoice.label',
    'ApprovalChoice.rulePreview',
    'ApprovalChoice.acceptsFeedback',
    'ApprovalRequirementRef.sourceIndex',
    'ApprovalResolvedParams.policyResult',
    'ApprovalResolvedParams.stageEvidence',
    'ApprovalResolvedParams.amendment',
    'ApprovalResolvedParams.resolvedBy',
    'ApprovalUpdatedParams.subject',
    'ApprovalUpdatedParams.change',
    'UserInputRequestParams.toolName',
    'UserInputQuestion.header',
    'UserInputQuestion.question',
    'UserInputQuestion.selection',
    'UserInputOption.description',
    'UserInputOption.preview',
    'Item.args',
    'Item.tool',
    'Item.revision',
    'Item.visibleOutput',
    'Item.label',
    'Item.role',
    'Item.summary',
    'Item.reason',
    'Item.exitCode',
    'Item.agentPath',
    'Item.depth',
    'Item.statusLine',
    'Item.statusPhase',
    'Item.result',
    'Item.children',
    'Item.blocking',
    'Item.background',
    'Item.outcome',
    'Item.trigger',
    'Item.triggerSource',
    'Item.failureKind',
    'Item.failureReason',
    'Item.truncated',
    'Item.attachments',
    'Item.finalSummary',
    'Item.scriptId',
    'Item.entryId',
    'Item.strategyId',
    'Item.providerItemId',
    'Session.turnCount',
    'Session.kind',
    'Session.modelId',
    'Session.providerId',
    'SnapshotState.turnCount',
    'EffectiveApprovalModeState.source',
    'SessionHistory.items',
    'SessionHistory.mode',
    'SessionHistory.noneReason',
    'Goal.status',
    'Goal.percentComplete',
    'Goal.currentWork',
    'Goal.nextWork',
    'GoalCommandResult.turnId',
    'SessionCompactResult.reason',
    'SessionCompactResult.status',
    'TurnCompletedParams.reason',
    'LastTurn.reason',
    'LastTurn.error',
    'TurnError.kind',
    'ErrorData.capacity',
    'ErrorData.paths',
    'ErrorData.availability',
    'ErrorData.alignedNextOffset',
    'ApprovalResolutionSummary.resolvedBy',
    // A server whose mode, model or tier is the wanted one already has nothing to do.
    'SessionSetApprovalModeResult.applyOutcome',
    'InitializeResult.sessionDurability',
    'SchemaInfo.version',
    'ModelListResult.source',
    'ModelListResult.providerId',
    'ModelListResult.profileId',
    'HookListResult.hooks',
    'PluginListResult.plugins',
    'UsageReadResult.usage',
    'ComputerUseSettings.blockedApps',
    'ComputerUseSettings.computerControl',
    'ComputerUseSettings.screenshots',
    'SessionModelChangedParams.source',
    'SessionReasoningEffortChangedParams.source',
    'SessionApprovalModeChangedParams.source',
    'SessionTodoListChangedParams.sourceTool',
    'ItemReadOutputResult.content',
    'ItemReadOutputResult.byteLen',
    'ItemReadOutputResult.eof',
    'ItemReadOutputResult.mediaType',
    'ItemReadOutputResult.encoding',
    'FeedbackSubmitResult.outcome',
    'FeedbackSubmitResult.sessionNote',
    'FeedbackSubmitResult.cause',
    'FeedbackSubmitResult.localTracingNote',
    'FeedbackSubmitResult.sessionRecordAttached',
    'FeedbackSubmitResult.sessionRecordTruncated',
    'SkillSetActivationResult.previous',
    'TurnForegroundCompletedParams.blockingAgents',
  ]),
  // A catalogue row says what one host sells.
  ...roles('own', [
    'ModelCatalogEntry.contextLimit',
    'ModelCatalogEntry.outputLimit',
    'ModelCatalogEntry.cost',
    'ModelCatalogEntry.releaseDate',
    'ModelCatalogEntry.reasoningEffortVariants',
    'ModelCatalogEntry.profileId',
    'ModelCatalogEntry.defaultReasoningEffort',
    'ModelCatalogEntry.isActive',
    'ModelCatalogEntry.isDefault',
    'ModelCatalogEntry.variants',
    'SkillCatalogEntry.displayName',
    'SkillCatalogEntry.source',
    'SkillCatalogEntry.argumentHint',
    'SkillCatalogEntry.pluginId',
  ]),
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
export const FREE_TEXT_MEMBERS: ReadonlySet<string> = new Set([
  'text',
  'displayText',
  'objective',
  'name',
  'body',
  'reason',
  'feedback',
  'freeText',
  'note',
  'content',
  'commandText',
  'title',
  'version',
  'arguments',
]);

function roles(role: MemberRole, members: readonly string[]): [string, MemberRole][] {
  return members.map((member) => [member, role]);
}
