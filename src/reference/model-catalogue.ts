import type { JsonObject } from './json.js';
import { CONTEXT_WINDOW_TOKENS } from './token-usage.js';

export interface Model {
  readonly modelId: string;
  readonly providerId: string;
}

const EFFORTS = ['none', 'low', 'medium', 'high'];

/** The models that this host accepts, newest first. */
export const MODELS: readonly (Model & JsonObject)[] = [
  row('reference-large', 'Reference Large', '2026-06-01', 'Repeats what it is told.'),
  row('reference-small', 'Reference Small', '2026-03-01', 'Repeats what it is told, with a smaller name.'),
];

export const DEFAULT_MODEL: Model = { modelId: 'reference-large', providerId: 'reference' };

/** The catalogue's model of that name, from that provider if one is named. */
export function modelNamed(modelId: string, providerId: string | undefined): Model | undefined {
  return MODELS.find(
    (model) => model.modelId === modelId && (providerId === undefined || providerId === model.providerId),
  );
}

function row(
  modelId: string,
  displayLabel: string,
  releaseDate: string,
  description: string,
): Model & JsonObject {
  return {
    modelId,
    providerId: 'reference',
    profileId: null,
    displayLabel,
    description,
    releaseDate,
    contextLimit: CONTEXT_WINDOW_TOKENS,
    outputLimit: 64_000,
    cost: null,
    isDefault: modelId === 'reference-large',
    isActive: false,
    variants: EFFORTS,
    reasoningEffortVariants: EFFORTS.map((tier) => ({ tier })),
    defaultReasoningEffort: 'medium',
  };
}
