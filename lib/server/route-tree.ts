/** Finds a path's value among patterns in Next's notation: `[id]` is any segment, `[...rest]` all that follow. */
type RouteTree<T> = {
  /** Adds a path with parameters. */
  addPattern: (path: string, value: T) => void;
  /** Adds a literal path, brackets included. */
  addPath: (path: string, value: T) => void;
  /** Finds a path's value. @param segments decoded, without empty ones. @returns null if nothing matches */
  find: (segments: readonly string[]) => T | null;
};

type Node<T> = { children: Map<string, Node<T>>; any?: Node<T>; rest?: T; value?: T };

const PARAMETER = /^\[[^.\]]+\]$/;
const CATCH_ALL = /^\[\[?\.\.\./;

export function createRouteTree<T extends object>(): RouteTree<T> {
  const root: Node<T> = { children: new Map() };

  const add = (path: string, value: T, hasParameters: boolean) => {
    let node = root;
    for (const segment of segmentsOf(path)) {
      if (hasParameters && CATCH_ALL.test(segment)) {
        node.rest = value;
        return;
      }
      if (hasParameters && PARAMETER.test(segment)) {
        node.any ??= leaf();
        node = node.any;
      } else node = child(node, segment);
    }
    node.value = value;
  };
  return {
    addPattern: (path, value) => add(path, value, true),
    addPath: (path, value) => add(path, value, false),
    find: (segments) => find(root, segments, 0),
  };
}

/** Tries the literal name first, then any segment, then the rest: Next's order. */
function find<T>(node: Node<T>, segments: readonly string[], at: number): T | null {
  const segment = segments[at];
  if (segment === undefined) return node.value ?? null;
  const literal = node.children.get(segment);
  return (
    (literal && find(literal, segments, at + 1)) ??
    (node.any && find(node.any, segments, at + 1)) ??
    node.rest ??
    null
  );
}

function child<T>(node: Node<T>, segment: string): Node<T> {
  const known = node.children.get(segment) ?? leaf<T>();
  node.children.set(segment, known);
  return known;
}

const leaf = <T>(): Node<T> => ({ children: new Map() });

export const segmentsOf = (path: string): string[] => path.split('/').filter((segment) => segment !== '');
