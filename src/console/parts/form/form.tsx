import { Group, Stack, type MantineSpacing } from '@mantine/core';
import { useEffect, useRef, useState, type ReactNode, type SubmitEvent } from 'react';
import { Act } from './menu.tsx';
import type { Refusal } from '../../api/refusal.ts';
import type { Call } from '../../api/use-api.ts';
import { sentence } from '../../words/format.ts';
import { RefusalAlert } from '../page/page.tsx';
import classes from './form.module.css';
import type { FieldState } from './drafts.ts';
import { RestoredNote } from './restored-note.tsx';
import { useUnsavedFields } from './unsaved.ts';

interface FormProps {
  readonly isBusy: boolean;
  onSubmit(event: SubmitEvent<HTMLFormElement>): unknown;
  /** Maximum width in px. */
  readonly maw?: number;
  readonly gap?: MantineSpacing;
  /** Content beside the fields, or below them on narrow screens. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

/** Form that moves focus to its first invalid field after submitting, whether the console or the server found the error. */
export function Form({ isBusy, onSubmit, maw, gap = 'md', aside, children }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const wasSent = useRef(false);
  useEffect(() => {
    if (!wasSent.current || isBusy) return;
    const wrong = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (!wrong) return;
    wasSent.current = false;
    wrong.focus();
  });
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    // Submitting a dialog inside a page's form must not submit that form too.
    event.stopPropagation();
    // A number field shows why its text is not a number; without this, it would count as empty.
    const misread = form.current?.querySelector<HTMLElement>('[data-misread]');
    if (misread) return misread.focus();
    wasSent.current = true;
    onSubmit(event);
  };
  return (
    <form ref={form} onSubmit={submit} noValidate className={aside ? classes.split : undefined}>
      <Stack gap={gap} {...(maw && { maw })}>
        {children}
      </Stack>
      {aside && <div className={classes.aside}>{aside}</div>}
    </form>
  );
}

/** State of the mutation that a form shows. */
export interface Sending {
  readonly isBusy: boolean;
  readonly refusal: Refusal | null;
  /** Clears the error, for example once the waiting time that it names is over. */
  readonly clear?: () => void;
}

interface PageFormProps extends Pick<FormProps, 'maw' | 'aside' | 'children' | 'onSubmit'> {
  readonly of: Sending;
  readonly verb: string;
  /** Target of the Cancel link. */
  readonly back: string;
  /** Once they have changed, leaving the page requires confirmation. */
  readonly fields: FieldState;
}

/** Form that fills a page. */
export function PageForm({ of, verb, back, fields, children, ...form }: PageFormProps) {
  const { discard } = useUnsavedFields(fields);
  return (
    <Form isBusy={of.isBusy} {...form}>
      <RestoredNote onDiscard={discard} />
      {children}
      <RefusalAlert refusal={of.refusal} onOver={of.clear} />
      <Group gap="xs">
        <Act label={verb} primary type="submit" loading={of.isBusy} />
        <Act label="Cancel" href={back} data-discard="" />
      </Group>
    </Form>
  );
}

interface CardFormProps extends Pick<FormProps, 'maw' | 'children'> {
  readonly of: Sending;
  readonly verb?: string;
  /** Once they have changed, leaving the page requires confirmation. Absent if they are few and short. */
  readonly fields?: FieldState;
  /** Whether nothing has changed. */
  readonly isSame?: boolean;
  onSave(): unknown;
  onCancel?: (() => void) | undefined;
}

/** Form inside a card, which stays open after saving. */
export function CardForm(props: CardFormProps) {
  const { of, verb = 'Save', fields, isSame = false, maw, children, onSave, onCancel } = props;
  const { discard } = useUnsavedFields(fields);
  return (
    <Form isBusy={of.isBusy} onSubmit={() => !isSame && onSave()} gap="sm" {...(maw && { maw })}>
      <RestoredNote onDiscard={discard} />
      {children}
      <RefusalAlert refusal={of.refusal} onOver={of.clear} />
      <Group gap="xs">
        <Act label={verb} primary type="submit" loading={of.isBusy} disabled={isSame} />
        {onCancel && <Act label="Cancel" onClick={onCancel} />}
      </Group>
    </Form>
  );
}

/** Errors by field; a field without one is null, false or absent. */
type Found<Names extends string> = { readonly [Name in Names]?: string | null | false | undefined };

/** API call that a form sends, and the API's name and the label of its fields. */
interface Sent {
  readonly of: Pick<Call, 'refusal' | 'clear'>;
  readonly names: Readonly<Record<string, readonly [api: string, label: string]>>;
}

/** Form state with validation errors by field.
 *  @param faultsOf validates what the client can check; the API validates the rest
 *  @param sent shows API errors at the fields that they name */
export function useFields<Fields extends object, Names extends string>(
  initial: Fields | (() => Fields),
  faultsOf: (fields: Fields) => Found<Names>,
  sent?: Sent,
) {
  const [form, setForm] = useState(initial);
  const [found, setFaults] = useState<Found<Names>>({});
  const { refusal = null } = sent?.of ?? {};
  const refused = Object.entries(sent?.names ?? {}).filter(([, [api]]) => isOf(refusal, api));
  const faults = Object.fromEntries([
    ...refused.map(([name, [, label]]) => [name, sentence(refusal?.labelled(label) ?? '')]),
    ...Object.entries(found).filter(([, fault]) => fault),
  ]) as Partial<Record<Names, string>>;
  const set = (changes: Partial<Fields>) => {
    sent?.of.clear();
    setForm((before) => ({ ...before, ...changes }));
    setFaults((before) => ({ ...before, ...Object.fromEntries(Object.keys(changes).map((name) => [name, null])) }));
  };
  /** Shows the validation errors. @returns whether there are none */
  const check = () => {
    const now = faultsOf(form);
    setFaults(now);
    return Object.values(now).every((fault) => !fault);
  };
  /** Value, error and change handler of a field. */
  const field = <Name extends string & keyof Fields>(name: Name) => ({
    value: form[name],
    error: new Map<string, unknown>(Object.entries(faults)).get(name) as string | undefined,
    // A field's name and value have the types of `Fields`.
    onChange: (value: Fields[Name]) => set({ [name]: value } as unknown as Partial<Fields>),
  });
  /** API error that no field shows. */
  const rest = refused.length > 0 ? null : refusal;
  return { form, set, field, faults, setFaults, check, rest };
}

function isOf(refusal: Refusal | null, api: string): boolean {
  return refusal?.code === 'VALIDATION_ERROR' && refusal.field === api;
}
