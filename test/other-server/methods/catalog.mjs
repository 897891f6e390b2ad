import { may, take, text } from '../params.mjs';

export const PROVIDER = 'elsewhere';
export const DEFAULT_MODEL = 'other/large';

const MODELS = [
  { modelId: 'other/tiny', displayLabel: 'Petite', contextLimit: 2048 },
  { modelId: DEFAULT_MODEL, displayLabel: 'Größer', contextLimit: null },
  { modelId: 'other/odd', displayLabel: 'Odd', contextLimit: 4097 },
];

/** @param {string} modelId @returns {boolean} */
export function isInCatalog(modelId) {
  return MODELS.some((model) => model.modelId === modelId);
}

export const catalogMethods = { 'model/list': listModels };

/** @param {import('../connection.mjs').Connection} connection @param {any} raw @returns {import('../admission.mjs').Reply} */
function listModels(connection, raw = {}) {
  const { sessionId } = take(raw, { sessionId: may(text) });
  const active = sessionId === undefined ? undefined : connection.host.loaded(sessionId).state.model.modelId;
  return {
    result: {
      source: 'x_vendorShelf',
      providerId: PROVIDER,
      profileId: null,
      models: MODELS.map((model) => ({
        ...model,
        providerId: PROVIDER,
        profileId: null,
        description: null,
        cost: null,
        outputLimit: null,
        releaseDate: null,
        isDefault: model.modelId === DEFAULT_MODEL,
        isActive: model.modelId === active,
      })),
    },
  };
}
