/** The definition of a `view/page` event: a notification's `{method, params}` without its frame. */
const EVENT_DEFINITION = 'UnframedViewNotification';

export function isEvent(definition: string | undefined): boolean {
  return definition === EVENT_DEFINITION;
}

/** The members that every event's params have; those of its method come on top. */
export function isCommonToEvents(definition: string | undefined): boolean {
  return definition === `${EVENT_DEFINITION}Params`;
}
