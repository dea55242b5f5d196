"""What a run found of each kind's entities, for the documentation."""


def rows(house):
    """By kinds: a row for each entity, as Home Assistant has it, and what has none."""
    entities = house.home.ask("entities")
    return {
        kind.kind: {
            "entities": [
                row(kind, entity, entities[kind.unique_id(entity.key)]) for entity in kind.all_entities(house)],
            "without entity": kind.without_entity}
        for kind in house.kinds}


def row(kind, entity, found):
    capabilities = found["capabilities"]
    values = ", ".join(capabilities.get("options") or capabilities.get("event_types") or [])
    if "min" in capabilities:
        values = f"{capabilities['min']:g} … {capabilities['max']:g}"
        values += f", step {capabilities['step']:g}" if "step" in capabilities else " characters"
    return {
        "key": entity.key,
        "entity": found["domain"],
        "name": found["name"],
        "class": found["device_class"],
        "unit": found["unit"],
        "state class": capabilities.get("state_class"),
        "category": found["category"],
        "values": values or None,
        "services": sorted(set(kind.services.get(entity.key, [])))}
