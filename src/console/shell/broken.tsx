import { Button, Center, Code, Group, Stack, Text, Title } from '@mantine/core';
import { Component, type ReactNode } from 'react';

interface Props {
  readonly children: ReactNode;
  /** Another value than before, such as the path, tries again. */
  readonly at?: string;
}

interface State {
  readonly error: Error | null;
  readonly at: string | undefined;
}

/** In place of a page that failed: a sentence and ways on, never an empty window. */
export class Broken extends Component<Props, State> {
  override state: State = { error: null, at: this.props.at };

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  static getDerivedStateFromProps(props: Props, state: State): Partial<State> | null {
    return props.at === state.at ? null : { error: null, at: props.at };
  }

  override render(): ReactNode {
    const { error } = this.state;
    return error ? <BrokenNote error={error} /> : this.props.children;
  }
}

/** A file of the console that is gone was replaced by a newer console while this page was open. */
const isOutdated = (error: Error) => /dynamically imported module|module script|preload CSS/i.test(error.message);

function BrokenNote({ error }: { readonly error: Error }) {
  const outdated = isOutdated(error);
  const title = outdated ? 'This page could not be loaded' : 'This page failed';
  const text = outdated
    ? 'The server does not answer, or the console was updated since you opened it. Load it again to go on.'
    : 'That is a defect of the console; your data is not touched. Loading it again may help.';
  return (
    <Center component="section" mih="60vh" p="md">
      <Stack maw={520} gap="sm" role="alert">
        <Title order={1} size="h3">
          {title}
        </Title>
        <Text>{text}</Text>
        {!outdated && <Code block>{error.message}</Code>}
        <Group>
          <Button onClick={() => location.reload()}>Load again</Button>
          <Button variant="default" component="a" href="/">
            To the overview
          </Button>
        </Group>
      </Stack>
    </Center>
  );
}
