"""Process networks that follow from a program: channels, their classes and capacities."""
