"""A plugin of pytest: an example on which a property fails is enough, and is not made smaller."""

from hypothesis import Phase, settings

settings.register_profile("unshrunk", phases=(Phase.explicit, Phase.generate))
settings.load_profile("unshrunk")
