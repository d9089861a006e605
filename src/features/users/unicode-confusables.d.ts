declare module 'unicode-confusables' {
  /** Maps each confusable character of Unicode to the representative of its class. */
  export function rectifyConfusion(text: string): string;
}
