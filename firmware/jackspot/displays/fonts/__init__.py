"""The OLED's fonts as atlases of dots; LICENCES.txt names their makers and licences."""
