import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { isRecord, Refusal } from '../api/refusal.ts';

// The WebAuthn code is loaded on first use.

/** Whether passkeys work in this browser and origin: they require HTTPS or localhost. */
export function canUsePasskeys(): boolean {
  return typeof PublicKeyCredential === 'function';
}

/** Authenticates with a passkey.
 *  @param answer contains the API's WebAuthn `options`
 *  @throws {Refusal} PASSKEY with the reason */
export async function provePasskey(answer: unknown): Promise<object> {
  const optionsJSON = isRecord(answer) ? answer['options'] : null;
  if (!isRequest(optionsJSON)) throw unusable();
  const { startAuthentication } = await import('@simplewebauthn/browser');
  return startAuthentication({ optionsJSON }).catch((thrown: unknown) => {
    throw refusalOf(
      thrown,
      'No passkey was used: the request was cancelled or timed out, or this device has no passkey for this server.',
    );
  });
}

/** Creates a passkey.
 *  @throws {Refusal} PASSKEY with the reason */
export async function makePasskey(optionsJSON: unknown): Promise<object> {
  if (!isCreation(optionsJSON)) throw unusable();
  const { startRegistration } = await import('@simplewebauthn/browser');
  return startRegistration({ optionsJSON }).catch((thrown: unknown) => {
    throw refusalOf(thrown, 'No passkey was created: the request was cancelled or timed out.');
  });
}

function isRequest(value: unknown): value is PublicKeyCredentialRequestOptionsJSON {
  return isRecord(value) && typeof value['challenge'] === 'string';
}

function isCreation(value: unknown): value is PublicKeyCredentialCreationOptionsJSON {
  return isRecord(value) && typeof value['challenge'] === 'string' && isRecord(value['user']);
}

function unusable(): Refusal {
  return new Refusal('PASSKEY', 'The server requested a passkey in a way that this console does not support.', {
    status: 0,
  });
}

/** @param otherwise message if the user cancelled or did not respond; browsers do not reveal which */
function refusalOf(thrown: unknown, otherwise: string): Refusal {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : null;
  switch (code) {
    case 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED':
      return new Refusal('PASSKEY', 'This device already has a passkey for your account.', { status: 0 });
    case 'ERROR_INVALID_DOMAIN':
    case 'ERROR_INVALID_RP_ID':
      return new Refusal(
        'PASSKEY',
        `Passkeys of this server do not work at ${location.hostname}; open the server at its configured address.`,
        {
          status: 0,
        },
      );
    default:
      return new Refusal('PASSKEY', otherwise, { status: 0 });
  }
}
