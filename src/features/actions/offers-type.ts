/** Tells whether the service offers an integration type. */
export type OffersType = (type: string) => boolean;
