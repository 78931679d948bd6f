import type { RequestHandler } from 'express';
import helmet from 'helmet';

/** Content security policy of responses other than pages: they load nothing, and no page may frame them. */
const nothing = {
  defaultSrc: ["'none'"],
  baseUri: ["'none'"],
  objectSrc: ["'none'"],
  frameAncestors: ["'none'"],
};

/** Validity of HSTS in seconds: one year. */
const HSTS_SECONDS = 31_536_000;

/** Security headers of every response of the application. Pages replace the content security policy. */
export function securityHeaders(publicUrl: string): RequestHandler {
  return helmet({
    contentSecurityPolicy: { useDefaults: false, directives: nothing },
    strictTransportSecurity: isHttps(publicUrl) && { maxAge: HSTS_SECONDS, includeSubDomains: true },
    xFrameOptions: { action: 'deny' },
  });
}

/** The most important of these headers, for responses outside of the application. */
export function essentialHeaders(publicUrl: string): Record<string, string> {
  return {
    'Content-Security-Policy': "default-src 'none';base-uri 'none';object-src 'none';frame-ancestors 'none'",
    'X-Content-Type-Options': 'nosniff',
    ...(isHttps(publicUrl) && { 'Strict-Transport-Security': `max-age=${HSTS_SECONDS}; includeSubDomains` }),
  };
}

function isHttps(publicUrl: string): boolean {
  return publicUrl.startsWith('https:');
}
