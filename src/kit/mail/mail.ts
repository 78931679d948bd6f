/** An email attachment. */
export interface Attachment {
  /** Letters, digits, hyphens and dots. */
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: Buffer;
}

/** An email to one recipient. */
export interface Mail {
  /** A bare address, such as `ana@example.com`. */
  readonly to: string;
  readonly subject: string;
  /** Complete plain-text body. */
  readonly text: string;
  /** Complete HTML body. */
  readonly html: string;
  readonly attachments?: readonly Attachment[];
}

/** An email with its message id and date. */
export interface Envelope extends Mail {
  /** The same for every attempt to send an email, so that receivers can detect duplicates. */
  readonly messageId: string;
  readonly date: Date;
}

/** Sends emails. */
export interface Mailer {
  /** Whether emails are only saved in the data folder. */
  readonly onlySaves?: boolean;
  /** @param key identifies the email; its `Message-ID` is derived from it
   *  @throws {MailRefusedError} if it is permanently rejected; any other error may be retried */
  send(mail: Mail, key: string): Promise<void>;
}

/** The receiving server rejected the email permanently; retries are pointless. */
export class MailRefusedError extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = 'MailRefusedError';
  }
}
