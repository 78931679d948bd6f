import { generateSecret, generateURI, verify } from 'otplib';
import { renderSVG } from 'uqr';

/** What authenticator apps show above the code. */
const issuer = 'Costkeep';
const stepSeconds = 30;
/** 160 bits, as RFC 4226, section 4, recommends. */
const secretBytes = 20;

/** Makes a TOTP secret, in base32. */
export function newTotpSecret(): string {
  return generateSecret({ length: secretBytes });
}

/** The time step whose code this is, from one before the present step to one after it (RFC 6238, section 5.2); null for
 *  any other code.
 *  @param code 6 digits */
export async function stepOf(secret: string, code: string, now: Date): Promise<bigint | null> {
  const epoch = Math.floor(now.getTime() / 1000);
  const result = await verify({ secret, token: code, epoch, epochTolerance: stepSeconds, period: stepSeconds });
  return result.valid && 'timeStep' in result ? BigInt(result.timeStep) : null;
}

/** The secret as authenticator apps take it (Key URI format). */
export function otpauthUri(secret: string, email: string): string {
  return generateURI({ issuer, label: email, secret });
}

/** The URI as a QR code: an SVG document, black on white with the quiet zone of 4 modules that ISO/IEC 18004 asks for. */
export function qrSvg(uri: string): string {
  return renderSVG(uri, { border: 4, ecc: 'M' });
}
