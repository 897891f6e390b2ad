import { createHash } from 'node:crypto';
import { Fault } from '../errors.mjs';
import { flag, list, may, need, object, take, text } from '../params.mjs';
import { Spelled } from '../spelling.mjs';

/** Capabilities that a client may have for the asking. */
const GRANTABLE = ['sessionListStream'];

/**
 * `initialize`: names both sides and freezes what the connection may do.
 * @param {import('../connection.mjs').Connection} connection @param {any} params @returns {import('../admission.mjs').Reply}
 */
export function initialize(connection, params) {
  const { host } = connection;
  if (connection.phase !== 'new') throw new Fault('alreadyInitialized', 'We have met.');
  const { clientInfo, capabilities = {} } = take(params, {
    clientInfo: need(object),
    capabilities: may(object),
  });
  take(clientInfo, { name: need(isClientName), version: need(text), title: may(text) });
  const wishes = take(capabilities, {
    experimentalApi: may(flag),
    requestedCapabilities: may(list(text)),
    optOutNotificationMethods: may(list(text)),
    userInputDialogs: may(flag),
  });
  connection.client = clientInfo;
  connection.optedOut = new Set(wishes['optOutNotificationMethods']);
  connection.takesDialogs = wishes['userInputDialogs'] !== false;
  connection.granted = new Set(GRANTABLE.filter((name) => wishes['requestedCapabilities']?.includes(name)));
  connection.phase = 'greeted';
  return {
    result: {
      serverInfo: { name: 'other-server', version: '7.3.1-β' },
      userAgent: 'other-server (honest; different)',
      museHome: host.home,
      platformFamily: process.platform === 'win32' ? 'windows' : 'unix',
      platformOs: { win32: 'windows', darwin: 'macos' }[/** @type {'win32'} */ (process.platform)] ?? 'linux',
      schema: {
        version: new Spelled('1.0'),
        fingerprint: `sha256:${createHash('sha256').update('other-server').digest('hex')}`,
      },
      grantedCapabilities: [...connection.granted, 'x_vendorTelepathy'],
      experimentalApi: false,
      sessionDurability: host.isEphemeral ? 'ephemeral' : 'durable',
    },
  };
}

/** @param {unknown} value */
function isClientName(value) {
  return typeof value === 'string' && /^[a-z0-9_]+$/.test(value);
}
