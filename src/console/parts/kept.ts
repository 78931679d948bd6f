import { useLocalStorage } from '@mantine/hooks';

/** State persisted in the local storage of this browser. Without storage, it lasts until the page is left.
 *  @param key unique in the console */
export function useKept<Value>(key: string, initial: Value): [value: Value, set: (value: Value) => void] {
  // The first rendering must already have the value, so that a hidden note does not flash.
  const [value, set] = useLocalStorage<Value>({
    key: `costkeep.${key}`,
    defaultValue: initial,
    getInitialValueInEffect: false,
  });
  return [value, set];
}
