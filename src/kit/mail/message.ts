import type { SendMailOptions } from 'nodemailer';
import type { Envelope } from './mail.ts';

/** Converts an email for nodemailer. Its content cannot reference files or URLs to read from. */
export function message(envelope: Envelope, from: string): SendMailOptions {
  const { to: address, subject, text, html, attachments = [], messageId, date } = envelope;
  return {
    from,
    // As an object, it is always parsed as a single address.
    to: { name: '', address },
    // Text that looks like an encoded word (RFC 2047) would be decoded by the receiver, which bypasses the checks on
    // names.
    subject: subject.replaceAll('=?', '=\u200b?'),
    text,
    html,
    attachments: attachments.map(({ name, mediaType, bytes }) => ({
      filename: name,
      contentType: mediaType,
      content: bytes,
    })),
    messageId,
    date,
    // RFC 3834: suppresses automatic replies.
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
