import { createPrivateKey } from 'node:crypto';
import { arg, fix, invalid, operation } from '../../kit/errors.ts';
import { refuseOthers, required, type CredentialFields } from '../fields.ts';
import type { GcpCredentials } from '../spec.ts';
import { gcpRules } from './input.ts';

const at = 'credentials.service_account_json';

/** Where Google's own key files ask for tokens. Another address would be sent an assertion that is signed with the key. */
const tokenUris = new Set(['https://oauth2.googleapis.com/token', 'https://accounts.google.com/o/oauth2/token']);

/** Fields of other kinds of credentials, which can name addresses and even programs. */
const foreignFields = [
  'credential_source',
  'service_account_impersonation_url',
  'source_credentials',
  'token_url',
  'token_info_url',
  'subject_token_type',
  'workforce_pool_user_project',
  'delegates',
  'refresh_token',
] as const;

/** Reads a service account's key file, of which the email, the key and the project are taken and nothing else.
 *  @throws {AppError} VALIDATION_ERROR naming the field; its value is not repeated */
export function readGcpCredentials(given: CredentialFields): GcpCredentials {
  refuseOthers('credentials', given, ['serviceAccountJson'], 'Google Cloud');
  if (!given.serviceAccountJson)
    throw invalid`${arg(at)} is required: the JSON key of a service account, as an object${fix}see ${operation('GET /accounts/setup')}`;
  const file = new Map<string, unknown>(Object.entries(given.serviceAccountJson));
  refuseOtherKinds(file);
  return {
    clientEmail: required(`${at}.client_email`, textOf(file, 'client_email'), gcpRules.serviceAccount),
    privateKey: readPrivateKey(textOf(file, 'private_key')),
    projectId: required(`${at}.project_id`, textOf(file, 'project_id'), gcpRules.project),
  };
}

function refuseOtherKinds(file: ReadonlyMap<string, unknown>): void {
  if (file.get('type') !== 'service_account') {
    throw invalid`${arg(`${at}.type`)} must be "service_account": other kinds of credentials can name addresses that the server would be sent to`;
  }
  const foreign = foreignFields.find((name) => file.has(name));
  if (foreign)
    throw invalid`${arg(`${at}.${foreign}`)} is not part of a service account's key${fix}send the file as Google made it`;
  const tokenUri = file.get('token_uri') ?? 'https://oauth2.googleapis.com/token';
  if (typeof tokenUri !== 'string' || !tokenUris.has(tokenUri))
    throw invalid`${arg(`${at}.token_uri`)} must be https://oauth2.googleapis.com/token: tokens are asked of Google alone`;
  if ((file.get('universe_domain') ?? 'googleapis.com') !== 'googleapis.com')
    throw invalid`${arg(`${at}.universe_domain`)} must be googleapis.com: other domains are not supported`;
}

function textOf(file: ReadonlyMap<string, unknown>, name: string): string | null {
  const value = file.get(name) ?? null;
  if (value === null || typeof value === 'string') return value;
  throw invalid`${arg(`${at}.${name}`)} must be a string`;
}

const keyRemedy = 'send the private_key of the file as Google made it, from -----BEGIN PRIVATE KEY----- on';

/** Parsed and written anew, so that what is kept is a key and nothing else. */
function readPrivateKey(pem: string | null): string {
  const name = arg(`${at}.private_key`);
  if (pem === null) throw invalid`${name} is required${fix}${keyRemedy}`;
  const key = pem.length <= 16_384 ? parsed(pem) : null;
  if (!key) throw invalid`${name} is not a private key${fix}${keyRemedy}`;
  const { asymmetricKeyType, asymmetricKeyDetails } = key;
  if (asymmetricKeyType !== 'rsa' || (asymmetricKeyDetails?.modulusLength ?? 0) < 1024)
    throw invalid`${name} is not an RSA key${fix}${keyRemedy}`;
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** Null when it cannot be parsed; the reason might quote it. */
function parsed(pem: string) {
  if (!pem.trimStart().startsWith('-----BEGIN ')) return null;
  try {
    return createPrivateKey({ key: pem, format: 'pem' });
  } catch {
    return null;
  }
}
