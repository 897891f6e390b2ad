import type { CheckDefinition } from './definition.js';

/** What may be unknown, and what has to be ignored. */
export const TOLERANCE_CHECKS = [
  {
    id: 'tolerance/unknown-member',
    severity: 'note',
    title: 'Members that the bundle does not know',
    requirement: 'Unknown members are conformant and ignored by whoever receives them.',
    source: 'MSP compatibility: additive evolution',
    explanation: 'Servers may be newer than the bundle; the note shows what the checks could not look at.',
    typicalMistake: 'None; a misspelt optional member shows up here.',
    howToSee: 'Compare the frame with its definition in the bundle.',
  },
  {
    id: 'tolerance/unknown-enum-value',
    severity: 'note',
    title: 'Values that an open enum does not list',
    requirement: 'Enums marked open may carry values that the bundle does not list.',
    source: 'MSP compatibility: open enums',
    explanation: 'Clients handle an unknown value generically; a closed enum is another matter.',
    typicalMistake: 'None; a misspelt status shows up here.',
    howToSee: 'Compare the value with the enum in the bundle.',
  },
  {
    id: 'tolerance/unknown-notification',
    severity: 'note',
    title: 'Notifications that the bundle does not know',
    requirement: 'Clients ignore notifications that they do not know.',
    source: 'MSP compatibility: additive evolution',
    explanation: 'A newer server may send new events; they are let through and mentioned.',
    typicalMistake: 'None; a misspelt method shows up here.',
    howToSee: 'Compare the method with the notifications of the bundle.',
  },
  {
    id: 'tolerance/unknown-method',
    severity: 'note',
    title: 'Methods that the bundle does not know',
    requirement: 'A method outside the bundle cannot be judged against it.',
    source: 'MSP errors: methodNotFound',
    explanation:
      'The recorded client called something that this bundle does not define and the server answered.',
    typicalMistake: 'A scenario written for another bundle.',
    howToSee: 'Compare the method with the methods of the bundle.',
  },
  {
    id: 'tolerance/unknown-error-kind',
    severity: 'note',
    title: 'Error kinds that the registry does not list',
    requirement: 'Error kinds are an open set.',
    source: 'MSP errors: open kinds',
    explanation: 'A client treats an unknown kind by its code; the note shows that it would have to.',
    typicalMistake: 'None; a misspelt kind shows up here.',
    howToSee: 'Compare data.kind with the errors table of the bundle.',
  },
  {
    id: 'tolerance/unknown-member-accepted',
    severity: 'should',
    title: 'Unknown request members are ignored',
    requirement: 'A server ignores members of a request that it does not know.',
    source: 'MSP conformance: unknown members on stable requests',
    explanation:
      'Newer clients talk to older servers. A refusal may have another reason than the unknown member, so this warns.',
    typicalMistake: 'A decoder set to refuse unknown fields.',
    howToSee: 'Add a nonsense member to a valid request and compare the answers.',
  },
] as const satisfies readonly CheckDefinition[];
