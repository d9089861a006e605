/** What this page uses of the scripts that it loads first: React, ReactDOM and GraphiQL. */

/** A request as GraphiQL sends it. */
interface GraphqlRequest {
  readonly query: string;
  readonly operationName?: string | null;
  readonly variables?: unknown;
}

interface GraphqlOptions {
  readonly headers?: unknown;
}

type Fetcher = (request: GraphqlRequest, options: GraphqlOptions) => unknown;

/** An open tab, in the form in which GraphiQL stores it. */
interface GraphiqlTab {
  readonly id: string;
  readonly hash: string;
  readonly title: string | null;
  readonly query: string | null;
  readonly variables: string | null;
  readonly headers: string | null;
  readonly operationName: string | null;
  readonly response: string | null;
}

interface ReactNode {
  readonly type: unknown;
  readonly props: unknown;
}

declare const React: {
  readonly createElement: (type: unknown, props: object | null, ...children: readonly unknown[]) => ReactNode;
};

declare const ReactDOM: {
  readonly createRoot: (element: Element) => { readonly render: (node: ReactNode) => void };
};

declare const GraphiQL: {
  readonly Logo: unknown;
  readonly React: {
    readonly UnStyledButton: unknown;
    readonly useEditorContext: () => {
      readonly tabs: readonly GraphiqlTab[];
      readonly moveTab: (tabs: readonly GraphiqlTab[]) => void;
      readonly changeTab: (index: number) => void;
    };
    readonly useExecutionContext: () => { readonly stop: () => void };
  };
  readonly createFetcher: (options: {
    readonly url: string;
    readonly subscriptionUrl: string;
    readonly enableIncrementalDelivery: boolean;
  }) => Fetcher;
};
