/** The address of the server, put in when the page is made. */
declare const URL_OF_API: string;
