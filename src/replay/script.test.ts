import { describe, expect, it } from 'vitest';
import type { ClientStep, ScriptStep, ServerStep } from './script.js';
import {
  error,
  event,
  greeting,
  HANDSHAKE,
  INITIALIZE,
  INITIALIZED,
  type Line,
  request,
  result,
  scriptOf,
  uuid,
} from './testing/scenario.js';

const client = (steps: readonly ScriptStep[], line: number) => steps[line - 1] as ClientStep;
const server = (steps: readonly ScriptStep[], line: number) => steps[line - 1] as ServerStep;

describe('a script', () => {
  it('ties responses to requests by id and type of id', () => {
    const { steps } = scriptOf([
      request(1, 'session/list'),
      request('1', 'model/list'),
      result('1', { models: [] }),
      result(1, { sessions: [] }),
    ]);
    expect(client(steps, 1).response?.line).toBe(4);
    expect(client(steps, 2).response?.line).toBe(3);
    expect(server(steps, 3).asked?.method).toBe('model/list');
  });

  it('ties a reused id to the latest request', () => {
    const { steps } = scriptOf([
      request(1, 'session/list'),
      result(1, {}),
      request(1, 'model/list'),
      result(1, {}),
      result(1, {}),
    ]);
    expect([server(steps, 2), server(steps, 4)].map(({ asked }) => asked?.line)).toEqual([1, 3]);
    expect(server(steps, 5).role).toBe('orphan');
  });

  it('knows events, server requests, and responses that answer nobody', () => {
    const { steps } = scriptOf([
      event('turn/started', { turnId: 't' }),
      ['server', { jsonrpc: '2.0', id: 1, method: 'approval/request', params: {} }],
      error(null, -32700, 'parseError'),
      error(9, -32600, 'invalidRequest'),
    ]);
    expect(steps.map((step) => step.kind === 'server' && step.role)).toEqual([
      'event',
      'request',
      'orphan',
      'orphan',
    ]);
  });

  it('ties receipts to server requests, which have ids of their own', () => {
    const { steps } = scriptOf([
      request(1, 'session/list'),
      ['server', { jsonrpc: '2.0', id: 1, method: 'approval/request', params: {} }],
      ['client', { jsonrpc: '2.0', id: 1, result: {} }],
      result(1, {}),
    ]);
    expect(client(steps, 3).receiptFor?.line).toBe(2);
    expect(client(steps, 1).response?.line).toBe(4);
    expect(client(steps, 1).receiptFor).toBeUndefined();
  });

  it('knows commands from the bundle', () => {
    const { commands } = scriptOf([
      request(1, 'turn/start', { commandId: uuid(1) }),
      request(2, 'turn/start', {}),
      request(3, 'session/list', { commandId: uuid(2) }),
      ['client', { jsonrpc: '2.0', method: 'turn/start', params: { commandId: uuid(3) } }],
      request(4, 'vendor/do', { commandId: uuid(4) }),
    ]);
    expect(commands.map(({ line }) => line)).toEqual([1, 2]);
  });

  it('keeps control lines, and client frames that are none', () => {
    const { steps } = scriptOf([
      ['client', 'no json\r'],
      ['control', 'restart'],
    ]);
    expect(steps.map(({ kind }) => kind)).toEqual(['client', 'control']);
    expect(client(steps, 1)).toMatchObject({ raw: 'no json\r', method: undefined, isCommand: false });
  });

  it.each<[what: string, lines: readonly Line[], line: number | undefined]>([
    ['the usual handshake', HANDSHAKE, 1],
    ['a response after initialized', [INITIALIZE, INITIALIZED, result(1, greeting())], 1],
    ['a refused one', [INITIALIZE, error(1, -32602, 'invalidParams'), INITIALIZED], undefined],
    ['one that is never answered', [INITIALIZE, INITIALIZED], undefined],
    ['something before it', [request(0, 'session/list'), ...HANDSHAKE], undefined],
    ['no initialized', [INITIALIZE, result(1, greeting()), request(2, 'session/list')], undefined],
  ])('handshake: %s', (_what, lines, line) => {
    expect(scriptOf(lines).handshake?.line).toBe(line);
  });
});
