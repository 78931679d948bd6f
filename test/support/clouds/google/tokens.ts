import { createVerify, generateKeyPairSync } from 'node:crypto';
import type { GoogleAnswer } from './call.ts';

/** A service account for tests, with its own key. */
export interface TestAccount {
  readonly clientEmail: string;
  readonly privateKey: string;
  readonly projectId: string;
}

/** Google's token endpoint: verifies signature and claims of the assertion, and remembers issued tokens. */
export class FakeTokens {
  readonly #keys = new Map<string, string>();
  readonly #given = new Set<string>();
  #count = 0;
  /** Lifetime of future tokens. */
  expiresInSeconds = 3599;

  /** Creates a known service account. */
  account(name = 'costkeep', projectId = 'billing-123'): TestAccount {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    const clientEmail = `${name}@${projectId}.iam.gserviceaccount.com`;
    this.#keys.set(clientEmail, publicKey);
    return { clientEmail, privateKey, projectId };
  }

  /** Revokes all tokens, like disabling a key. */
  revoke(): void {
    this.#given.clear();
  }

  knows(authorization: string | undefined): boolean {
    return this.#given.has((authorization ?? '').replace(/^Bearer /, ''));
  }

  answer(form: string): GoogleAnswer {
    const fields = new URLSearchParams(form);
    const refused = this.#refusalOf(fields);
    if (refused !== null) return { status: 400, json: { error: 'invalid_grant', error_description: refused } };
    const token = `ya29.test-${++this.#count}`;
    this.#given.add(token);
    return { json: { access_token: token, expires_in: this.expiresInSeconds, token_type: 'Bearer' } };
  }

  #refusalOf(fields: URLSearchParams): string | null {
    if (fields.get('grant_type') !== 'urn:ietf:params:oauth:grant-type:jwt-bearer') return 'Unknown grant.';
    const [head = '', claims = '', signature = ''] = (fields.get('assertion') ?? '').split('.');
    const { iss, aud, iat, exp, scope }: Record<string, unknown> = JSON.parse(
      Buffer.from(claims, 'base64url').toString(),
    );
    const key = this.#keys.get(String(iss));
    if (key === undefined) return 'Invalid grant: account not found';
    const verify = createVerify('RSA-SHA256').update(`${head}.${claims}`);
    if (!verify.verify(key, Buffer.from(signature, 'base64url'))) return 'Invalid JWT Signature.';
    const now = Date.now() / 1000;
    if (Math.abs(Number(iat) - now) > 300 || Number(exp) - Number(iat) > 3600)
      return 'Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. Check your iat and exp values in the JWT claim.';
    if (aud !== 'https://oauth2.googleapis.com/token') return 'Invalid audience.';
    return String(scope).includes('https://www.googleapis.com/auth/bigquery') ? null : 'Invalid scope.';
  }
}
