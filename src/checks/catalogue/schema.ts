import type { CheckDefinition } from './definition.js';

/** Content of frames against the schema bundle. */
export const SCHEMA_CHECKS = [
  {
    id: 'schema/params',
    severity: 'must',
    title: 'Client params fit the method',
    requirement: 'The params of a client request fit the bundle, unless the server refused them as invalid.',
    source: 'MSP schema bundle: methods, params',
    explanation:
      'A recording in which a wrong request is accepted shows either a server that does not validate or a scenario that is out of date.',
    typicalMistake: 'A hand-edited transcript, or a server that ignores a missing required member.',
    howToSee: 'Validate the params against the method’s definition in the bundle.',
  },
  {
    id: 'schema/result',
    severity: 'must',
    title: 'Results fit the method',
    requirement: 'The result of each method fits its definition in the bundle.',
    source: 'MSP schema bundle: methods, result',
    explanation:
      'Typed clients decode by these definitions; a missing required member is an exception there.',
    typicalMistake: 'Leaving out a member that is required and may be null, such as nextCursor.',
    howToSee: 'Validate the result against the method’s definition in the bundle.',
  },
  {
    id: 'schema/notification',
    severity: 'must',
    title: 'Notifications fit their definition',
    requirement:
      'The params of each known notification, live or on a page, fit their definition in the bundle.',
    source: 'MSP schema bundle: notifications',
    explanation: 'The view is folded from these events; one that cannot be decoded leaves a hole in it.',
    typicalMistake: 'Omitting sourceRange or revision, or a value outside a closed enum.',
    howToSee: 'Validate the params against the notification’s definition in the bundle.',
  },
  {
    id: 'schema/server-request',
    severity: 'must',
    title: 'Server requests fit their definition',
    requirement: 'A server request is one that the bundle names, and its params fit.',
    source: 'MSP schema bundle: requests',
    explanation: 'A request demands an answer; a client can only answer what it can decode.',
    typicalMistake: 'Sending an approval without the identifier of its current requirement.',
    howToSee: 'Validate the params against the request’s definition in the bundle.',
  },
  {
    id: 'schema/receipt',
    severity: 'must',
    title: 'Receipts fit the server request',
    requirement: 'The client’s answer to a server request is a receipt as the bundle defines it.',
    source: 'MSP approvals: presentation receipt; schema bundle: requests',
    explanation: 'The decision travels as a command; the answer only confirms presentation.',
    typicalMistake: 'A recording from a client that answers with the decision itself.',
    howToSee: 'Look at the client’s answer to approval/request: it is an object.',
  },
  {
    id: 'schema/error',
    severity: 'must',
    title: 'Errors fit the error definition',
    requirement: 'The error member fits the bundle’s error object, data members included.',
    source: 'MSP schema bundle: ErrorObject and ErrorData',
    explanation: 'Clients read typed details out of data, such as the limit or the earliest cursor.',
    typicalMistake: 'A number sent as text inside data, or a list where one value is defined.',
    howToSee: 'Validate the error against ErrorObject in the bundle.',
  },
  {
    id: 'schema/error-pair',
    severity: 'must',
    title: 'Code and kind belong together',
    requirement: 'A known kind is sent under the code that the registry pairs it with.',
    source: 'MSP errors: registry',
    explanation: 'Old clients look at the code, new ones at the kind; both must come to one conclusion.',
    typicalMistake: 'Reusing a generic code for every kind.',
    howToSee: 'Compare code and kind with the errors table of the bundle.',
  },
  {
    id: 'schema/fingerprint',
    severity: 'should',
    title: 'The announced fingerprint is the bundle’s',
    requirement: 'A fingerprint that differs from the bundle in use is worth a warning, never an error.',
    source: 'MSP compatibility: fingerprint',
    explanation:
      'Checks are made against one bundle; another fingerprint says that the peer has another surface.',
    typicalMistake: 'A transcript that was recorded before the last change of the schema.',
    howToSee: 'Compare the manifest or the initialize result with the bundle’s manifest.',
  },
] as const satisfies readonly CheckDefinition[];
