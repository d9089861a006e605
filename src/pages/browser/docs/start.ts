/** Shows the OpenAPI document with Swagger UI, which the page loads first. */

declare const SwaggerUIBundle: (options: {
  readonly url: string;
  readonly dom_id: string;
  readonly deepLinking: boolean;
}) => unknown;

SwaggerUIBundle({ url: '/openapi.json', dom_id: '#reference', deepLinking: true });

export {};
