/** Members whose strings are secrets, whatever they look like. Compared without case, `-` and `_`. */
const SECRET_MEMBERS: readonly string[] = [
  'authorization',
  'proxyauthorization',
  'apikey',
  'xapikey',
  'accesstoken',
  'refreshtoken',
  'idtoken',
  'authtoken',
  'bearertoken',
  'sessiontoken',
  'secret',
  'clientsecret',
  'secretkey',
  'secretaccesskey',
  'privatekey',
  'password',
  'passwd',
  'passphrase',
  'cookie',
  'setcookie',
];

export function isSecretMember(name: string): boolean {
  return SECRET_MEMBERS.includes(name.replace(/[-_]/g, '').toLowerCase());
}

/** What is a key by its very form: prefixes that issuers chose so that scanners find them, tokens, private keys. */
export const KEY_FORMS = new RegExp(
  [
    String.raw`-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)`,
    String.raw`\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}`,
    String.raw`\b(?:sk|pk|rk)[-_](?:[A-Za-z]+[-_])*[A-Za-z0-9]{16,}[\w-]*`,
    String.raw`\bgh[pousr]_[A-Za-z0-9]{20,}`,
    String.raw`\bgithub_pat_\w{20,}`,
    String.raw`\bglpat-[\w-]{16,}`,
    String.raw`\bnpm_[A-Za-z0-9]{30,}`,
    String.raw`\bxox[abeoprs]-[\w-]{10,}`,
    String.raw`\b(?:AKIA|ASIA)[0-9A-Z]{16}\b`,
    String.raw`\bAIza[\w-]{35}`,
    String.raw`(?<=\b[Bb]earer )[\w.~+/-]{12,}=*`,
    String.raw`(?<=\w://[^\s/:@]*:)[^\s/:@]+(?=@)`,
  ].join('|'),
  'g',
);

/** False when a text holds neither a key nor a member for secrets; quick, and sure for JSON without escapes. */
export function mayHoldSecrets(raw: string): boolean {
  return raw.includes('\\') || SECRET_NAMES.test(raw) || raw.search(KEY_FORMS) !== -1;
}

const SECRET_NAMES = new RegExp(
  `"[-_]*(?:${SECRET_MEMBERS.map((name) => [...name].join('[-_]*')).join('|')})[-_]*"`,
  'i',
);
